import { rankOf, roleOfRank } from "@packhouse/contract/roles";
import { sql } from "kysely";
import type { Db, Tx } from "../db/database.ts";
import type { Deps } from "../deps.ts";
import { change } from "../events/record-event.ts";
import { securityLog } from "../events/security-log.ts";
import { Refusal } from "../http/refusal.ts";
import type { Settings } from "../settings.ts";
import { changeStanding } from "../users/edit-user.ts";
import { users } from "../users/store.ts";
import { localIssuer } from "./people.ts";
import type { ProviderIdentity, SignInMark } from "./provider-tokens.ts";

type PeopleDeps = Pick<Deps, "db" | "settings" | "clock" | "log">;

/**
 * The account of somebody from the provider: created at first sight, kept up to date with his claims, found by issuer
 * and subject alone. Undefined when there is none for him: deactivated, deleted, or somebody else has his login.
 */
export async function personOfProvider(
  deps: PeopleDeps,
  identity: ProviderIdentity,
  address: string,
): Promise<number | undefined> {
  const refused = async (account: Account | undefined): Promise<undefined> => {
    await securityLog(deps.db, deps.clock()).signInFailed({
      login: identity.login,
      account,
      address,
      detail: "provider",
    });
  };
  const known = await find(deps.db, identity);
  if (known && (known.deleted || !known.active)) return refused(known);
  if (known && isCurrent(deps, known, identity)) return known.id;
  const found = await deps.db.transaction().execute(async (tx) => {
    await users(tx).lockAdministrators();
    const account =
      (await find(tx, identity)) ?? (await link(deps, tx, identity)) ?? (await create(deps, tx, identity));
    if (!account) {
      deps.log.warn({ login: identity.login, subject: identity.subject }, "the login of a new person is taken");
      return undefined;
    }
    if (account.deleted || !account.active) return account;
    await update(deps, tx, { account, identity, address });
    return account;
  });
  return !found || found.deleted || !found.active ? refused(found) : found.id;
}

type Account = NonNullable<Awaited<ReturnType<typeof find>>>;

/** `login_taken`: somebody else has the login of the token. */
function find(db: Db | Tx, { issuer, subject, login }: ProviderIdentity) {
  return db
    .selectFrom("users")
    .select([
      "id",
      "login",
      "name",
      "email",
      "rank",
      "active",
      "deleted",
      "last_signed_in_on",
      "provider_sign_in",
      "groups",
    ])
    .select(
      sql<boolean>`exists (
        select from users other where other.login = ${login} and not other.deleted and other.id <> users.id)`.as(
        "login_taken",
      ),
    )
    .where("issuer", "=", issuer)
    .where("subject", "=", subject)
    .executeTakeFirst();
}

function isCurrent(deps: PeopleDeps, account: Account, identity: ProviderIdentity): boolean {
  const { login, name = account.name, email = account.email } = identity;
  return (
    (account.login === login || account.login_taken) &&
    account.name === name &&
    account.email === email &&
    sameGroups(account.groups, identity) &&
    account.rank === (grantedRank(deps.settings, identity) ?? account.rank) &&
    !isNewSignIn(account.provider_sign_in, identity.signIn)
  );
}

/** A token without the claim has no groups: providers leave it out when it is empty. */
const groupsOf = ({ groups = [] }: ProviderIdentity): string[] => [...new Set(groups)].sort();
const sameGroups = (known: readonly string[], identity: ProviderIdentity): boolean =>
  known.join("\0") === groupsOf(identity).join("\0");

/** Takes over, once, the one local account that the settings let him take over. */
async function link(deps: PeopleDeps, tx: Tx, identity: ProviderIdentity): Promise<Account | undefined> {
  const by = deps.settings["auth.oidc.link"];
  const { issuer, subject, login, email, emailVerified } = identity;
  if (by === "none" || (by === "verified-email" && (!emailVerified || email === undefined))) return undefined;
  const found = await tx
    .selectFrom("users")
    .select("id")
    .where("issuer", "=", localIssuer)
    .where("active", "=", true)
    .where("deleted", "=", false)
    .where(by === "login" ? sql<boolean>`login = ${login}` : sql<boolean>`lower(email) = lower(${email})`)
    .forUpdate()
    .execute();
  const [one, another] = found;
  if (!one || another) return undefined;
  await tx.updateTable("users").set({ issuer, subject }).where("id", "=", one.id).execute();
  deps.log.info({ user: one.id, by }, "a local account is the provider's from now on");
  await securityLog(tx, deps.clock()).accountChange({
    account: one,
    detail: "provider",
    changed: change("issuer", localIssuer, issuer),
  });
  return find(tx, identity);
}

async function create(deps: PeopleDeps, tx: Tx, identity: ProviderIdentity): Promise<Account | undefined> {
  const { issuer, subject, login, name, email } = identity;
  const rank = grantedRank(deps.settings, identity) ?? rankOf("user");
  const created = await tx
    .insertInto("users")
    .values({
      login,
      name: name ?? login,
      email: email ?? `${login}@localhost`,
      rank,
      issuer,
      subject,
      created_on: deps.clock(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  if (created)
    await securityLog(tx, deps.clock()).accountCreate({
      account: created,
      role: roleOfRank(rank).name,
      detail: "provider",
    });
  return find(tx, identity);
}

/** A token that is good for an account. */
interface ProviderRequest {
  account: Account;
  identity: ProviderIdentity;
  address: string;
}

async function update(deps: PeopleDeps, tx: Tx, { account, identity, address }: ProviderRequest): Promise<void> {
  const { login, name = account.name, email = account.email, signIn } = identity;
  const signsIn = isNewSignIn(account.provider_sign_in, signIn);
  await tx
    .updateTable("users")
    .set({
      name,
      email,
      ...(account.login_taken ? {} : { login }),
      groups: groupsOf(identity),
      ...(signsIn
        ? {
            previous_signed_in_on: account.last_signed_in_on,
            last_signed_in_on: deps.clock(),
            provider_sign_in: markText(signIn),
          }
        : {}),
    })
    .where("id", "=", account.id)
    .execute();
  if (signsIn) await securityLog(tx, deps.clock()).signIn({ user: account, address, detail: "provider" });
  if (signsIn && deps.settings["auth.oidc.groupRolesDryRun"]) {
    const rank = rankByGroups(deps.settings, identity);
    if (rank !== undefined)
      deps.log.info({ login, groups: identity.groups, role: roleOfRank(rank).name }, "dry run: role by groups");
  }
  const rank = grantedRank(deps.settings, identity);
  if (rank === undefined || rank === account.rank) return;
  const before = await users(tx).lock(account.id);
  if (!before) return;
  try {
    await changeStanding(deps, tx, before, before, { rank, active: true, deleted: false });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // His groups do not make him an administrator any more, but nobody else is one.
    deps.log.warn({ user: account.id }, "the last administrator keeps his role");
  }
}

/** The rank that lists and groups give; undefined where roles are given in the console. */
function grantedRank(settings: Settings, identity: ProviderIdentity): number | undefined {
  const admins = settings["auth.oidc.admins"];
  if (admins.includes(identity.login) || admins.includes(identity.subject)) return rankOf("admin");
  return settings["auth.oidc.groupRolesDryRun"] ? undefined : rankByGroups(settings, identity);
}

function rankByGroups(settings: Settings, { groups }: ProviderIdentity): number | undefined {
  const granting = settings["auth.oidc.groupRoles"];
  if (settings["auth.oidc.groupsClaim"] === undefined || granting.length === 0) return undefined;
  const ranks = granting.filter(({ group }) => groups?.includes(group)).map(({ role }) => rankOf(role));
  return Math.max(rankOf("user"), ...ranks);
}

const markText = (mark: SignInMark): string => (mark.kind === "time" ? `time:${mark.at}` : `session:${mark.id}`);

/** Whether a token comes from another sign-in than the last one; older tokens of the same person are not new. */
function isNewSignIn(stored: string | null, mark: SignInMark): boolean {
  if (stored === null) return true;
  const at = stored.startsWith("time:") ? Number(stored.slice("time:".length)) : Number.NEGATIVE_INFINITY;
  return mark.kind === "time" ? mark.at > at : stored !== markText(mark);
}
