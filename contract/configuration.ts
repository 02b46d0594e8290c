import { z } from "zod";
import { promised, readBy } from "./answer.ts";

const everySetting = z.object({
  ...promised({
    declarativeModeEnabled: z.boolean(),
    deletingPackagesEnabled: z.boolean(),
    deletingRepositoriesEnabled: z.boolean(),
    replacingPackagesEnabled: z.boolean(),
    accessTokenLifetimeConfigurable: z.boolean(),
    /** Days. */
    accessTokenLifetimeDefault: z.int(),
    generateManuals: z.boolean(),
    repositoryNameValidationRegex: z.object(
      promised({
        general: z.string(),
        technology: z.object(promised({ python: z.string(), r: z.string() })),
      }),
    ),
  }),
  supportedLanguages: z.array(z.string()),
  /** Whether the server can send mail. */
  mailEnabled: z.boolean(),
  /** Days; never more than the API allows. */
  accessTokenLifetimeMaximum: z.int(),
});
/** `GET /config`: the server's settings that affect its clients. Older servers omit some. */
export const publicConfiguration = readBy(everySetting, everySetting.partial());
export type PublicConfiguration = z.infer<typeof publicConfiguration>;

/** `GET /r/config`: which R binaries are accepted. */
export const rConfiguration = z.object(
  promised({
    allowedRVersions: z.array(z.string()),
    allowedDistributions: z.array(z.string()),
    allowedArchitectures: z.array(z.string()),
  }),
);
export type RConfiguration = z.infer<typeof rConfiguration>;
