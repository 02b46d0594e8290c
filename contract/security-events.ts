import { z } from "zod";

/**
 * Security events: sign-ins, failed attempts, changed passwords … They are listed separately from events of packages
 * and repositories, which existing clients read and count. Each kind has its words for how or why it happened; the
 * console has a sentence and an icon for each, and does not compile without them.
 */
export const securityEventDetails = {
  signIn: ["password", "provider", "secondFactor"],
  signInFailed: ["password", "provider", "secondFactor"],
  signOut: ["self"],
  sessionEnd: ["self", "administrator", "operator", "expired"],
  passwordChange: ["self", "administrator", "operator", "link"],
  secondFactorChange: ["added", "removed", "recoveryCodes", "reset"],
  accountCreate: ["settings", "operator", "provider", "firstStart"],
  accountChange: ["operator", "provider", "firstStart"],
  settingsChange: ["self", "administrator"],
  tokenUse: ["newAddress"],
  configurationChange: ["start"],
  download: ["file"],
} as const;

export type SecurityEventType = keyof typeof securityEventDetails;
export type SecurityEventDetail<Type extends SecurityEventType = SecurityEventType> =
  (typeof securityEventDetails)[Type][number];

export const securityEventTypes = Object.keys(securityEventDetails) as SecurityEventType[]; // the keys of the table
export const securityEventType = z.enum(
  securityEventTypes as [SecurityEventType, ...SecurityEventType[]], // there is at least one
);

/** Subjects of security events, as filters spell them. `SERVER` is the installation itself and has the id 0. */
export const securityResourceFilter = {
  USER: "user",
  ACCESS_TOKEN: "accessToken",
  PACKAGE: "package",
  SERVER: "server",
} as const;
export type SecurityResourceType = keyof typeof securityResourceFilter;

/** The author of events that no account here caused: an unknown login, the command line, the server itself. */
export const systemUser = { id: 0, name: "Packhouse", login: "", email: "" } as const;

/** The fields that security events have in addition to those of every event. */
export const securityFields = {
  /** One word for how or why it happened, from `securityEventDetails`. */
  detail: z.string().optional(),
  /** The attempted login, if no account has it; shortened, and removed together with the address. */
  subject: z.string().optional(),
  /** The client's address, unless it was removed after its retention period or belongs to another user. */
  address: z.string().optional(),
  /** How often it happened from `time` to `lastTime`, which are in the same hour (for addresses of tokens: day). */
  count: z.int().optional(),
  lastTime: z.string().optional(),
};
