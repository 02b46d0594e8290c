import { z } from "zod";

/** `GET /config`: what the server's settings mean for its clients. */
export const publicConfiguration = z.object({
  declarativeModeEnabled: z.boolean(),
  deletingPackagesEnabled: z.boolean(),
  deletingRepositoriesEnabled: z.boolean(),
  replacingPackagesEnabled: z.boolean(),
  accessTokenLifetimeConfigurable: z.boolean(),
  /** Days. */
  accessTokenLifetimeDefault: z.int(),
  generateManuals: z.boolean(),
  repositoryNameValidationRegex: z.object({
    general: z.string(),
    technology: z.object({ python: z.string(), r: z.string() }),
  }),
  supportedLanguages: z.array(z.string()),
});
export type PublicConfiguration = z.infer<typeof publicConfiguration>;

/** `GET /r/config`: which R binaries are taken. */
export const rConfiguration = z.object({
  allowedRVersions: z.array(z.string()),
  allowedDistributions: z.array(z.string()),
  allowedArchitectures: z.array(z.string()),
});
export type RConfiguration = z.infer<typeof rConfiguration>;

/** `GET /configuration.json` beside the console: settings that one build takes from its installation. */
export const consoleConfiguration = z.object({
  /** Where the API is; empty means the console's own origin. */
  serverAddress: z.string().default(""),
  /** Path below which the console is served, with slashes at both ends. */
  urlPrefix: z.string().default("/"),
  title: z.string().default("Packhouse"),
  simple: z.boolean().default(true),
  oidc: z.object({ authority: z.string(), clientId: z.string(), scope: z.string() }).nullable().default(null),
  developer: z.boolean().default(false),
  /** Seconds for which accept, reject, cancel and delete are held back; 0 asks for confirmation instead. */
  undoSeconds: z.int().min(0).default(5),
});
export type ConsoleConfiguration = z.infer<typeof consoleConfiguration>;
