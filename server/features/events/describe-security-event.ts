import type { SecurityEventDetail, SecurityEventType } from "@packhouse/contract/security-events";
import type { SecurityEvent } from "./security-store.ts";

/** What a description mentions. */
interface Mentions {
  /** The login of the account. */
  account: string;
  /** The author. */
  by: string;
  /** Names of what changed. */
  changed: string;
}

/** What happened, in one sentence for each kind and detail; how often and from where is appended. */
const sentences: {
  [Type in SecurityEventType]: Record<SecurityEventDetail<Type>, (mentions: Mentions) => string>;
} = {
  signIn: {
    password: ({ account }) => `${account} signed in with a password`,
    provider: ({ account }) => `${account} signed in at the identity provider`,
    secondFactor: ({ account }) => `${account} signed in with a password and a second factor`,
  },
  signInFailed: {
    password: ({ account }) => `A sign-in as ${account} failed`,
    provider: ({ account }) => `A sign-in at the identity provider as ${account} was refused`,
    secondFactor: ({ account }) => `A sign-in as ${account} with the right password failed at the second factor`,
  },
  signOut: { self: ({ account }) => `${account} signed out` },
  sessionEnd: {
    self: ({ account }) => `${account} ended a session`,
    administrator: ({ account, by }) => `${by} ended a session of ${account}`,
    operator: () => "The operator ended all sessions",
    expired: ({ account }) => `A session of ${account} expired`,
  },
  passwordChange: {
    self: ({ account }) => `${account} changed the password`,
    administrator: ({ account, by }) => `${by} gave ${account} another password`,
    operator: ({ account }) => `The operator gave ${account} another password`,
    link: ({ account, by }) => `${by} made a link by which ${account} can set a password`,
  },
  secondFactorChange: {
    added: ({ account }) => `${account} added a second factor`,
    removed: ({ account, by }) => `${by} removed a second factor of ${account}`,
    recoveryCodes: ({ account }) => `${account} made new recovery codes`,
    reset: ({ account, by }) => `${by} removed all second factors of ${account}`,
  },
  accountCreate: {
    settings: ({ account }) => `The account of ${account} was created by the settings`,
    operator: ({ account }) => `The operator created the account of ${account}`,
    provider: ({ account }) => `The account of ${account} was created at the first sign-in at the identity provider`,
    firstStart: ({ account }) => `The account of ${account} was created as there was no administrator`,
  },
  accountChange: {
    operator: ({ account }) => `The operator changed the account of ${account}`,
    provider: ({ account }) => `The account of ${account} is the identity provider's from now on`,
    firstStart: ({ account }) => `${account} was made administrator as there was none`,
  },
  settingsChange: {
    self: ({ account }) => `${account} changed their own settings`,
    administrator: ({ account, by }) => `${by} changed the settings of ${account}`,
  },
  tokenUse: { newAddress: ({ account }) => `An access token of ${account} was used from a new address` },
  configurationChange: { start: ({ changed }) => `The server started with other settings: ${changed}` },
  download: { file: ({ account }) => `${account} downloaded a file from a repository that is not open to everybody` },
};

/** One sentence in English. It is composed when the event is shown, so that it contains nothing removed from it. */
export function describeSecurityEvent(event: SecurityEvent, address: string | null): string {
  const unknown = event.subject === null ? "an unknown login" : `the unknown login "${event.subject}"`;
  const byDetail: Record<string, ((mentions: Mentions) => string) | undefined> = sentences[event.event_type];
  const sentence = byDetail[event.detail]?.({
    account: event.account?.name ?? unknown,
    by: event.user?.name ?? "The operator",
    changed: event.changed_properties.map(({ property }) => property).join(", "),
  });
  const from = address === null ? "" : ` from ${address}`;
  const times = event.count > 1 ? `, ${event.count} times` : "";
  return `${sentence ?? event.event_type}${from}${times}.`;
}
