import { roleOfRank } from "@packhouse/contract/roles";
import { accounts } from "../../identity/accounts/account-store.ts";
import { createPerson, LoginTaken, localIssuer, type NewPerson } from "../../identity/accounts/accounts-of-settings.ts";
import { type NewPassword, setPassword } from "../../identity/accounts/set-password.ts";
import { takeAwayFactors } from "../../identity/second-factors/reset-second-factors.ts";
import { firstAdministrator } from "../../identity/sign-in/first-administrator.ts";
import type { Db, Tx } from "../../platform/db/database.ts";
import { OperatorError } from "../../platform/errors/operator-error.ts";
import { change, type NewEvent, recordEvent } from "../../platform/event-log/record-event.ts";
import { securityLog } from "../../platform/event-log/security-log.ts";
import type { Deps } from "../deps.ts";
import { changeAccountStatus } from "./edit-user.ts";
import { makePasswordLink, type PasswordLink } from "./issue-password.ts";
import { type User, users } from "./store.ts";
import { type AccountStatus, losesAdministrator } from "./user.ts";

/**
 * What operators do to accounts from the command line. No one is signed in there: the author of events is the first
 * active administrator, or the account itself while there is none, and they state that it was the operator.
 */
type OperatorDeps = Pick<Deps, "db" | "clock" | "settings">;

/** Creates an account that signs in by password. */
export async function createAccount(
  deps: OperatorDeps,
  person: Omit<NewPerson, "origin">,
  options: { allowLookalikes?: boolean } = {},
): Promise<void> {
  try {
    await deps.db.transaction().execute(async (tx) => {
      const id = await createPerson(tx, deps.clock, { ...person, origin: "operator" }, options);
      const whom = person.name ?? person.login;
      const description = `The operator created the account of ${whom} with the role ${person.role}.`;
      await record(deps, tx, { type: "create", resourceId: id, description });
    });
  } catch (error) {
    throw error instanceof LoginTaken ? new OperatorError(error.message) : error;
  }
}

/** Sets a new password for a user, and ends their sessions and, unless they are to be kept, their access tokens. */
export async function resetPassword(
  deps: OperatorDeps,
  login: string,
  passwordHash: string,
  options: Omit<NewPassword, "hash" | "change"> = {},
): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const it = await lockedByLogin(tx, login);
    await setPassword(tx, it.id, {
      ...options,
      hash: passwordHash,
      change: { detail: "operator", by: undefined, at: deps.clock() },
    });
    const description = `The operator set a new password for ${it.name}.`;
    await record(deps, tx, { type: "update", resourceId: it.id, description });
  });
}

/** Removes the second factors of a user who lost them; returns how many there were. */
export async function resetSecondFactors(deps: OperatorDeps, login: string): Promise<number> {
  return deps.db.transaction().execute(async (tx) => {
    const user = await lockedByLogin(tx, login);
    return takeAwayFactors(tx, user, deps.clock(), { by: undefined });
  });
}

/** Creates a one-time link with which a user sets a password. */
export async function linkForAccount(deps: OperatorDeps, login: string): Promise<PasswordLink> {
  return deps.db.transaction().execute(async (tx) => {
    const it = await lockedByLogin(tx, login);
    if (it.issuer !== localIssuer) throw new OperatorError(`${login} signs in through the identity provider.`);
    const link = await makePasswordLink(deps, tx, it.id, { by: undefined });
    const description = `The operator created a link that lets ${it.name} set a password.`;
    await record(deps, tx, { type: "update", resourceId: it.id, description });
    return link;
  });
}

/** Changes a user's role or activity. The last active administrator stays. False: nothing to change. */
export async function changeAccount(
  deps: OperatorDeps,
  login: string,
  wanted: Partial<Pick<AccountStatus, "rank" | "active">>,
): Promise<boolean> {
  return deps.db.transaction().execute(async (tx) => {
    await accounts(tx).lockAdministrators();
    const before = await lockedByLogin(tx, login);
    const after = { rank: before.rank, active: before.active, deleted: false, ...wanted };
    if (losesAdministrator(before, after) && !(await users(tx).otherActiveAdministrators(before.id)))
      throw new OperatorError(`${login} is the last active administrator. Create another one first.`);
    const actor = await firstAdministrator({ ...deps, db: tx });
    await changeAccountStatus(deps, tx, { id: actor?.id ?? before.id, name: "The operator" }, { before, after });
    const changed = [
      ...change("role", roleOfRank(before.rank).name, roleOfRank(after.rank).name),
      ...change("active", before.active, after.active),
    ];
    if (changed.length > 0)
      await securityLog(tx, deps.clock()).accountChange({ account: before, detail: "operator", changed });
    return changed.length > 0;
  });
}

async function lockedByLogin(tx: Tx, login: string): Promise<User> {
  const id = await users(tx).idOfLogin(login);
  const it = id === undefined ? undefined : await users(tx).lock(id);
  if (!it || it.deleted) throw new OperatorError(`There is no user with the login ${login}.`);
  return it;
}

async function record(
  deps: OperatorDeps,
  tx: Tx,
  event: Pick<NewEvent, "type" | "resourceId" | "description">,
): Promise<void> {
  const actor = await firstAdministrator({ ...deps, db: tx });
  const by = { id: actor?.id ?? event.resourceId };
  await recordEvent(tx, { by, at: deps.clock(), resource: "USER", ...event });
}

/** All accounts that are not deleted, by login. */
export const listAccounts = (db: Db): Promise<User[]> => users(db).all();
