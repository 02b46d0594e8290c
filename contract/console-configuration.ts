import { z } from "zod";

/** The installation's logo; sizes in pixels. */
const logo = z.object({
  address: z.string(),
  width: z.int(),
  height: z.int(),
  className: z.string().default(""),
  /** Inline style as CSS text. */
  style: z.string().default(""),
});
export type Logo = z.infer<typeof logo>;

const oidcConfiguration = z.object({
  authority: z.string(),
  clientId: z.string(),
  /** For providers that require one from public clients, too; it is not a secret here. */
  clientSecret: z.string().optional(),
  scope: z.string().default("openid"),
  /** Which of the provider's tokens is sent to the API. */
  token: z.enum(["access", "id"]).default("access"),
});
export type OidcConfiguration = z.infer<typeof oidcConfiguration>;

/** `GET /configuration.json` next to the console: per-installation settings, so that one build serves all. */
export const consoleConfiguration = z.object({
  /** Where the API is; empty means the console's own origin. */
  serverAddress: z.string().default(""),
  /** Path below which the console is served, with slashes at both ends. */
  urlPrefix: z.string().default("/"),
  title: z.string().default("Packhouse"),
  /** Replaces the product's own logo: the small one in the top bar, the large one above the sign-in form. */
  smallLogo: logo.nullable().default(null),
  largeLogo: logo.nullable().default(null),
  /** `#rrggbb` each; null means the product's own. */
  brandColor: z.string().nullable().default(null),
  backgroundDark: z.string().nullable().default(null),
  backgroundLight: z.string().nullable().default(null),
  simple: z.boolean().default(true),
  /** Where people sign in with an OpenID Connect provider; null where they do not. */
  oidc: oidcConfiguration.nullable().default(null),
  developer: z.boolean().default(false),
  /** Seconds for which accept, reject, cancel and delete are delayed; 0 asks for confirmation instead. */
  undoSeconds: z.int().min(0).default(5),
  /** Where repositories are served; used for the address that the repository form suggests. */
  repositoryServer: z.string().default(""),
  /** Whether server addresses without a technology in their path are marked. */
  deprecatedAddressWarning: z.boolean().default(false),
  /** Regular expressions for element names that are plain text in descriptions, such as `<doi:10.1000/182>`. */
  notHtml: z.array(z.string()).default(["^doi"]),
  /** Sent with uploads and decisions instead of the user's own token, for installations behind a gateway. */
  submissionToken: z.string().nullable().default(null),
});
export type ConsoleConfiguration = z.infer<typeof consoleConfiguration>;
