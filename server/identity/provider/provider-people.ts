import { rankOf, roleOfRank } from "@packhouse/contract/roles";
import type { Db, Tx } from "../../platform/db/database.ts";
import { Refusal } from "../../platform/errors/refusal.ts";
import { change } from "../../platform/event-log/record-event.ts";
import { securityLog } from "../../platform/event-log/security-log.ts";
import { nameKey } from "../../platform/names/confusables.ts";
import type { Settings } from "../../platform/settings/settings.ts";
import { accounts } from "../accounts/account-store.ts";
import { localIssuer } from "../accounts/accounts-of-settings.ts";
import { findLoginClash } from "../accounts/login-store.ts";
import { isUsableLogin, loginColumns } from "../accounts/logins.ts";
import type { IdentityDeps } from "../deps.ts";
import type { ProviderIdentity, SignInMark } from "../tokens/provider-tokens.ts";
import { providerAccounts } from "./provider-account-store.ts";
import { namesAdministrator } from "./provider-administrators.ts";

type PeopleDeps = Pick<IdentityDeps, "db" | "settings" | "clock" | "log" | "changeRole">;

/**
 * The account of a provider user: created on first sign-in, kept in sync with the claims, found by issuer and subject
 * alone. Undefined if there is none: it is deactivated or deleted, or the login is not available.
 */
export async function personOfProvider(
  deps: PeopleDeps,
  identity: ProviderIdentity,
  address: string,
): Promise<number | undefined> {
  const { login } = identity;
  const refused = async (account: Account | undefined): Promise<undefined> =>
    void (await securityLog(deps.db, deps.clock()).signInFailed({ login, account, address, detail: "provider" }));
  const known = await find(deps, deps.db, identity);
  if (known && (known.deleted || !known.active)) return refused(known);
  if (known && isCurrent(deps, known, identity)) return known.id;
  const found = await deps.db.transaction().execute(async (tx) => {
    await accounts(tx).lockAdministrators();
    const account =
      (await find(deps, tx, identity)) ?? (await link(deps, tx, identity)) ?? (await create(deps, tx, identity));
    if (!account || account.deleted || !account.active) return account;
    if (isNewSignIn(account.provider_sign_in, identity.signIn))
      await securityLog(tx, deps.clock()).signIn({ user: account, address, detail: "provider" });
    await update(deps, tx, account, identity);
    return account;
  });
  return !found || found.deleted || !found.active ? refused(found) : found.id;
}

type Account = NonNullable<Awaited<ReturnType<typeof find>>>;

const find = ({ settings }: Pick<IdentityDeps, "settings">, db: Db | Tx, identity: ProviderIdentity) =>
  providerAccounts(db).find(identity, {
    admins: settings["auth.oidc.admins"],
    allowLookalikes: settings["auth.lookalikeLogins"],
    loginMayBeTaken: mayBeTaken(settings, identity.login),
  });

/**
 * Whether an account may change its login to this one. Administrators listed by login have it from their first sign-in:
 * renaming at the provider never makes a user an administrator.
 */
const mayBeTaken = (settings: Settings, login: string): boolean =>
  isUsableLogin(login) && !settings["auth.oidc.admins"].some((entry) => nameKey(entry) === nameKey(login));

function isCurrent(deps: PeopleDeps, account: Account, identity: ProviderIdentity): boolean {
  const { login, name = account.name, email = account.email } = identity;
  return (
    (account.login === login || account.login_kept) &&
    account.name === name &&
    account.email === email &&
    sameGroups(account.groups, identity) &&
    account.rank === (grantedRank(deps.settings, account, identity) ?? account.rank) &&
    !isNewSignIn(account.provider_sign_in, identity.signIn)
  );
}

/** A token without the claim has no groups: providers leave it out when it is empty. */
const groupsOf = ({ groups = [] }: ProviderIdentity): string[] => [...new Set(groups)].sort();
const sameGroups = (known: readonly string[], identity: ProviderIdentity): boolean =>
  known.join("\0") === groupsOf(identity).join("\0");

/** Takes over, once, the one local account that the settings allow this user to take over. */
async function link(deps: PeopleDeps, tx: Tx, identity: ProviderIdentity): Promise<Account | undefined> {
  const by = deps.settings["auth.oidc.link"];
  const { issuer, subject, login, email, emailVerified } = identity;
  if (by === "none" || (by === "verified-email" && (!emailVerified || email === undefined))) return undefined;
  const found = await providerAccounts(tx).lockLocal(by, { login, email });
  const [one, another] = found;
  if (!one || another) return undefined;
  await providerAccounts(tx).update(one.id, { issuer, subject });
  deps.log.info({ user: one.id, by }, "a local account now belongs to the identity provider");
  await securityLog(tx, deps.clock()).accountChange({
    account: one,
    detail: "provider",
    changed: change("issuer", localIssuer, issuer),
  });
  return find(deps, tx, identity);
}

/** An account at the first sign-in, with the role that lists and groups give it. */
async function create(deps: PeopleDeps, tx: Tx, identity: ProviderIdentity): Promise<Account | undefined> {
  const { issuer, subject, login, name, email } = identity;
  const clash = await findLoginClash(tx, login, { allowLookalikes: deps.settings["auth.lookalikeLogins"] });
  if (clash) {
    deps.log.warn(
      { login, subject, existing: clash.existing, reason: clash.why },
      "no account is created for a new user from the provider: the login is not available",
    );
    return undefined;
  }
  const inserted = await accounts(tx).insert({
    ...loginColumns(login),
    name: name ?? login,
    email: email ?? `${login}@localhost`,
    rank: rankOf("user"),
    issuer,
    subject,
    created_on: deps.clock(),
  });
  // Only now is it known whether the login makes the user an administrator.
  const created = await find(deps, tx, identity);
  if (!created) return undefined;
  const rank = grantedRank(deps.settings, created, identity) ?? created.rank;
  if (inserted !== undefined)
    await securityLog(tx, deps.clock()).accountCreate({
      account: created,
      role: roleOfRank(rank).name,
      detail: "provider",
    });
  if (rank === created.rank) return created;
  await providerAccounts(tx).update(created.id, { rank });
  return { ...created, rank };
}

async function update(deps: PeopleDeps, tx: Tx, found: Account, identity: ProviderIdentity): Promise<void> {
  const { login, name = found.name, email = found.email, signIn } = identity;
  const signsIn = isNewSignIn(found.provider_sign_in, signIn);
  const account = await rename(deps, tx, found, identity);
  await providerAccounts(tx).update(account.id, {
    name,
    email,
    groups: groupsOf(identity),
    ...(signsIn
      ? {
          previous_signed_in_on: account.last_signed_in_on,
          last_signed_in_on: deps.clock(),
          provider_sign_in: markText(signIn),
        }
      : {}),
  });
  if (signsIn && deps.settings["auth.oidc.groupRolesDryRun"]) {
    const rank = rankByGroups(deps.settings, identity);
    if (rank !== undefined)
      deps.log.info({ login, groups: identity.groups, role: roleOfRank(rank).name }, "dry run: role by groups");
  }
  const rank = grantedRank(deps.settings, account, identity);
  if (rank === undefined || rank === account.rank) return;
  try {
    await deps.changeRole(tx, account.id, rank);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // The groups no longer make the user an administrator, but there is no other one.
    deps.log.warn({ user: account.id }, "the last administrator keeps the role");
  }
}

/** Gives the account the login of the token if available; otherwise the account keeps its own. */
async function rename(deps: PeopleDeps, tx: Tx, account: Account, identity: ProviderIdentity): Promise<Account> {
  const { login } = identity;
  if (account.login === login) return account;
  const clash = mayBeTaken(deps.settings, login)
    ? await findLoginClash(tx, login, {
        allowLookalikes: deps.settings["auth.lookalikeLogins"],
        account: account.id,
      })
    : { why: "reserved", existing: undefined };
  if (clash) {
    deps.log.warn(
      { user: account.id, login, keeps: account.login, existing: clash.existing, reason: clash.why },
      "a user from the provider keeps the current login: the new one is not available",
    );
    return account;
  }
  await providerAccounts(tx).update(account.id, loginColumns(login));
  return (await find(deps, tx, identity)) ?? account;
}

/** The rank that lists and groups give; undefined where roles are given in the console. */
function grantedRank(settings: Settings, account: Account, identity: ProviderIdentity): number | undefined {
  const { issuer, subject, login } = account;
  const known = {
    issuer,
    subject,
    login,
    subjectIsOtherLogin: account.subject_is_other_login,
    loginIsOtherSubject: account.login_is_other_subject,
  };
  if (settings["auth.oidc.admins"].some((entry) => namesAdministrator(entry, known))) return rankOf("admin");
  return settings["auth.oidc.groupRolesDryRun"] ? undefined : rankByGroups(settings, identity);
}

function rankByGroups(settings: Settings, { groups }: ProviderIdentity): number | undefined {
  const granting = settings["auth.oidc.groupRoles"];
  if (settings["auth.oidc.groupsClaim"] === undefined || granting.length === 0) return undefined;
  const ranks = granting.filter(({ group }) => groups?.includes(group)).map(({ role }) => rankOf(role));
  return Math.max(rankOf("user"), ...ranks);
}

const markText = (mark: SignInMark): string => (mark.kind === "time" ? `time:${mark.at}` : `session:${mark.id}`);

/** Whether a token comes from a later sign-in than the last one; older tokens of the same user do not count. */
function isNewSignIn(stored: string | null, mark: SignInMark): boolean {
  if (stored === null) return true;
  const at = stored.startsWith("time:") ? Number(stored.slice("time:".length)) : Number.NEGATIVE_INFINITY;
  return mark.kind === "time" ? mark.at > at : stored !== markText(mark);
}
