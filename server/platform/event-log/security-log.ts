import type { ChangedProperty } from "@packhouse/contract/events";
import type { RoleName } from "@packhouse/contract/roles";
import type { SecurityEventDetail, SecurityEventType } from "@packhouse/contract/security-events";
import type { Db, Tx } from "../db/database.ts";
import { change } from "./record-event.ts";
import {
  hourOf,
  mergedRow,
  type NewSecurityEvent,
  type PrivateDownload,
  securityEventStore,
} from "./security-event-store.ts";

/** An account by its id. */
interface Account {
  id: number;
}

/** Who did something, and from where; undefined for the command line or the server itself. */
interface Origin {
  by: Account | undefined;
  address?: string | undefined;
}

const longestSubject = 100;
/** Rows of failed sign-ins that one hour may add: in total, and per address. */
const mostFailures = 500;
const mostFailuresPerAddress = 20;
/** Addresses of one access token that one day may add. */
const mostTokenAddresses = 50;

type Recorders = { [Type in SecurityEventType]: (event: never) => Promise<void> };

/**
 * Writes security events, in the transaction of what they report, if any. One function for each kind: a kind without
 * one does not compile.
 */
export function securityLog(db: Db | Tx, at: Date) {
  const store = securityEventStore(db);
  const about = (account: Account) => ({ accountId: account.id, resource: "USER", resourceId: account.id }) as const;
  const from = ({ by, address }: Origin) => ({ userId: by?.id, address });
  const add = (event: Omit<NewSecurityEvent, "at">) => store.add({ ...event, at });

  return {
    signIn: ({ user, address, detail }: { user: Account; address: string; detail: SecurityEventDetail<"signIn"> }) =>
      add({ type: "signIn", detail, userId: user.id, address, ...about(user) }),

    /**
     * Failures within one hour with the same login and address are one event. When there are too many, further logins
     * of an address, and then further addresses, are merged, so that an attack cannot fill the disk.
     */
    async signInFailed(failure: {
      login: string;
      account: Account | undefined;
      address: string;
      detail: SecurityEventDetail<"signInFailed">;
    }) {
      const { account, address, detail } = failure;
      const subject = account ? undefined : shownLogin(failure.login);
      const event = { type: "signInFailed", detail, ...about(account ?? { id: 0 }), accountId: account?.id } as const;
      const keys = (...parts: (string | number)[]) => ["signInFailed", detail, hourOf(at).toISOString(), ...parts];
      const own = mergedRow({ ...event, at, subject, address }, keys(address, account?.id ?? 0, subject ?? ""));
      const seen = await store.failuresOfHour(at, address, own.merge_key);
      if (seen.known || (seen.ofAddress < mostFailuresPerAddress && seen.all < mostFailures)) return store.merge(own);
      const rest = { type: "signInFailed", detail, ...about({ id: 0 }), accountId: undefined, at } as const;
      return store.merge(
        seen.all < mostFailures ? mergedRow({ ...rest, address }, keys(address)) : mergedRow(rest, keys()),
      );
    },

    signOut: ({ user, address }: { user: Account; address: string }) =>
      add({ type: "signOut", detail: "self", userId: user.id, address, ...about(user) }),

    /** A session that ended other than by signing out; without an account, all sessions. */
    sessionEnd: (end: { account: Account | undefined; detail: SecurityEventDetail<"sessionEnd"> } & Origin) =>
      add({
        type: "sessionEnd",
        detail: end.detail,
        ...from(end),
        ...(end.account ? about(end.account) : { resource: "SERVER", resourceId: 0 }),
      }),

    passwordChange: (it: { account: Account; detail: SecurityEventDetail<"passwordChange"> } & Origin) =>
      add({ type: "passwordChange", detail: it.detail, ...from(it), ...about(it.account) }),

    /** `factor`: its display name, such as the name of a passkey. */
    secondFactorChange: (
      it: { account: Account; detail: SecurityEventDetail<"secondFactorChange">; factor?: string | undefined } & Origin,
    ) =>
      add({
        type: "secondFactorChange",
        detail: it.detail,
        ...from(it),
        ...about(it.account),
        changed:
          it.detail === "added" ? change("secondFactor", null, it.factor) : change("secondFactor", it.factor, null),
      }),

    accountCreate: (
      it: { account: Account; role: RoleName; detail: SecurityEventDetail<"accountCreate"> } & Partial<Origin>,
    ) =>
      add({
        type: "accountCreate",
        detail: it.detail,
        ...from({ by: it.by, address: it.address }),
        ...about(it.account),
        changed: change("role", null, it.role),
      }),

    accountChange: (
      it: {
        account: Account;
        detail: SecurityEventDetail<"accountChange">;
        changed: ChangedProperty[];
      } & Partial<Origin>,
    ) =>
      add({
        type: "accountChange",
        detail: it.detail,
        ...from({ by: it.by, address: it.address }),
        ...about(it.account),
        changed: it.changed,
      }),

    /** A user's own settings: language, theme … */
    settingsChange: ({ account, by, address, changed }: { account: Account; changed: ChangedProperty[] } & Origin) =>
      add({
        type: "settingsChange",
        detail: by?.id === account.id ? "self" : "administrator",
        ...from({ by, address }),
        ...about(account),
        changed,
      }),

    /** The first use of an access token from an address; further uses from there add nothing. */
    async tokenUse({ token, user, address }: { token: Account; user: Account; address: string }) {
      const event = {
        type: "tokenUse",
        detail: "newAddress",
        userId: user.id,
        accountId: user.id,
        resource: "ACCESS_TOKEN",
        resourceId: token.id,
        at,
      } as const;
      const own = mergedRow({ ...event, address }, ["tokenUse", token.id, address]);
      const seen = await store.addressesOfToken(at, token.id, own.merge_key);
      if (seen.known) return;
      if (seen.all < mostTokenAddresses) return store.merge(own);
      return store.merge(mergedRow(event, ["tokenUse", token.id, at.toISOString().slice(0, 10)]));
    },

    /** Settings that changed since the last start: their names, never their values. */
    configurationChange: ({ names }: { names: readonly string[] }) =>
      add({
        type: "configurationChange",
        detail: "start",
        resource: "SERVER",
        resourceId: 0,
        changed: names.map((property) => ({ property, valueBefore: "", valueAfter: "" })),
      }),

    /** Downloads of one file by one user within one hour are one event. A file whose package is gone leaves none. */
    download: (files: readonly PrivateDownload[]) => store.addDownloads(files),
  } satisfies Recorders;
}

/** People enter passwords, and machines send megabytes, in place of a login. */
const shownLogin = (login: string): string =>
  [...login.normalize("NFKC").replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "\u{fffd}")].slice(0, longestSubject).join("");
