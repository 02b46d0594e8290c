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
    provider: ({ account }) => `${account} signed in through the identity provider`,
    secondFactor: ({ account }) => `${account} signed in with a password and a second factor`,
  },
  signInFailed: {
    password: ({ account }) => `A sign-in as ${account} failed`,
    provider: ({ account }) => `A sign-in as ${account} through the identity provider was refused`,
    secondFactor: ({ account }) => `A sign-in as ${account} with the correct password failed at the second factor`,
  },
  signOut: { self: ({ account }) => `${account} signed out` },
  sessionEnd: {
    self: ({ account }) => `${account} ended a session`,
    administrator: ({ account, by }) => `${by} ended a session of ${account}`,
    operator: () => "The operator ended all sessions",
    expired: ({ account }) => `A session of ${account} expired`,
  },
  passwordChange: {
    self: ({ account }) => `${account} changed their password`,
    administrator: ({ account, by }) => `${by} set a new password for ${account}`,
    operator: ({ account }) => `The operator set a new password for ${account}`,
    link: ({ account, by }) => `${by} created a link that lets ${account} set a password`,
  },
  secondFactorChange: {
    added: ({ account }) => `${account} added a second factor`,
    removed: ({ account, by }) => `${by} removed a second factor of ${account}`,
    recoveryCodes: ({ account }) => `${account} created new recovery codes`,
    reset: ({ account, by }) => `${by} removed all second factors of ${account}`,
  },
  accountCreate: {
    settings: ({ account }) => `The account of ${account} was created from the settings`,
    operator: ({ account }) => `The operator created the account of ${account}`,
    provider: ({ account }) =>
      `The account of ${account} was created at the first sign-in through the identity provider`,
    firstStart: ({ account }) => `The account of ${account} was created because there was no administrator`,
  },
  accountChange: {
    operator: ({ account }) => `The operator changed the account of ${account}`,
    provider: ({ account }) => `The account of ${account} is now managed by the identity provider`,
    firstStart: ({ account }) => `${account} was made an administrator because there was none`,
  },
  settingsChange: {
    self: ({ account }) => `${account} changed their own settings`,
    administrator: ({ account, by }) => `${by} changed the settings of ${account}`,
  },
  tokenUse: { newAddress: ({ account }) => `An access token of ${account} was used from a new address` },
  configurationChange: { start: ({ changed }) => `The server started with changed settings: ${changed}` },
  download: { file: ({ account }) => `${account} downloaded a file from a repository with restricted access` },
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
