import { randomUUID } from "node:crypto";
import type { ChangedProperty } from "@packhouse/contract/events";
import { rankOf, roleOfRank, roles } from "@packhouse/contract/roles";
import { settingsRef, user as userShape } from "@packhouse/contract/users";
import type { Actor } from "../../http/actor.ts";
import { type PatchOperation, patched } from "../../http/patch/json-patch.ts";
import { restores } from "../../http/patch/restores.ts";
import { accounts } from "../../identity/accounts/account-store.ts";
import { type Tx, violatesUnique } from "../../platform/db/database.ts";
import { invalid, malformedPatch, Refusal } from "../../platform/errors/refusal.ts";
import { change, recordEvent } from "../../platform/event-log/record-event.ts";
import type { Deps } from "../deps.ts";
import { rechooseResponsible } from "../maintainers/responsible-user-store.ts";
import { holdEveryRepository } from "../unit-of-work/change-repository.ts";
import { userBody } from "./present-user.ts";
import { type User, users } from "./store.ts";
import { type AccountStatus, describeChange, losesAdministrator, mayChangeRole, mayEdit } from "./user.ts";

/** Settings of the user are ignored, whatever there is of them. */
const shape = userShape.extend({ userSettings: settingsRef.partial().nullish() });
const fixed = ["id", "name", "login", "email", "createdOn", "lastLoggedInOn"] as const;

/** Changes a user's role, activity or deletion. The last active administrator stays. */
export async function editUser(
  deps: Deps,
  actor: Actor,
  id: number,
  operations: readonly PatchOperation[],
): Promise<User> {
  try {
    await deps.db.transaction().execute(async (tx) => {
      await accounts(tx).lockAdministrators();
      const before = await users(tx).lock(id);
      if (!before) throw new Refusal("user.notfound");
      if (!mayEdit(actor, before)) throw new Refusal("user.not.authorized");
      if (before.deleted) {
        if (!restores(operations)) throw new Refusal("editing.deleted.resource.not.possible");
        await users(tx).update(id, { deleted: false, deletion_id: null });
        return record(tx, { by: actor, at: deps.clock() }, before, change("deleted", true, false));
      }
      const after = await afterPatch(deps, before, operations);
      if (after.rank !== before.rank && !mayChangeRole(actor, before)) throw new Refusal("user.not.authorized");
      await changeAccountStatus(deps, tx, actor, { before, after });
    });
  } catch (error) {
    if (violatesUnique(error, "users_login") || violatesUnique(error, "users_login_key"))
      throw invalid(["user.duplicate.login"]);
    throw error;
  }
  const row = await users(deps.db).byId(id);
  if (!row) throw new Refusal("user.notfound");
  return row;
}

async function afterPatch(
  { workers }: Deps,
  before: User,
  operations: readonly PatchOperation[],
): Promise<AccountStatus> {
  const item = userBody(before);
  const after = await patched(workers, shape, item, operations);
  const role = roles.find((candidate) => candidate.id === after.roleId);
  if (!role) throw malformedPatch("there is no such role");
  const touched = fixed.filter((name) => after[name] !== item[name]);
  if (touched.length > 0) throw invalid(touched.map(() => "forbidden.update"));
  return { rank: role.value, active: after.active && !after.deleted, deleted: after.deleted };
}

/**
 * Changes a user's role or activity, with everything that depends on it. The caller holds the lock of the
 * administrators.
 */
export async function changeAccountStatus(
  deps: Pick<Deps, "clock">,
  tx: Tx,
  actor: { id: number; name: string },
  { before, after }: { before: User; after: AccountStatus },
): Promise<void> {
  const store = users(tx);
  if (losesAdministrator(before, after) && !(await store.otherActiveAdministrators(before.id)))
    throw invalid(["no.admin.left"]);
  const changed = [
    ...change("role", roleOfRank(before.rank).name, roleOfRank(after.rank).name),
    ...change("active", before.active, after.active),
    ...change("deleted", before.deleted, after.deleted),
  ];
  if (changed.length === 0) return;
  // Uploads choose a responsible user too, and must not choose based on what this change replaces.
  await holdEveryRepository(tx);
  await store.update(before.id, { rank: after.rank, active: after.active, deleted: after.deleted });
  if (before.active && !after.active) {
    await accounts(tx).endSessions(before.id);
    await accounts(tx).deactivateAccessTokens(before.id);
  }
  await leaveRole(tx, before, after.rank);
  await rechooseResponsible(tx, "everywhere");
  await record(tx, { by: actor, at: deps.clock() }, before, changed);
}

/** Gives an account the role that its provider grants, with its owner as the author. */
export const changeRole =
  (deps: Pick<Deps, "clock">): Deps["changeRole"] =>
  async (tx, userId, rank) => {
    const before = await users(tx).lock(userId);
    const after = { rank, active: true, deleted: false };
    if (before) await changeAccountStatus(deps, tx, before, { before, after });
  };

/** A maintainer record belongs to exactly one role, so it is removed with the role, on promotion too. */
async function leaveRole(tx: Tx, before: User, rank: number): Promise<void> {
  if (before.rank === rank) return;
  const tables = {
    [rankOf("packagemaintainer")]: "package_maintainers",
    [rankOf("repositorymaintainer")]: "repository_maintainers",
  } as const;
  const table = tables[before.rank];
  if (table) await users(tx).leaveRecords(table, before.id, randomUUID());
}

async function record(
  tx: Tx,
  { by, at }: { by: { id: number; name: string }; at: Date },
  it: User,
  changed: ChangedProperty[],
): Promise<void> {
  await recordEvent(tx, {
    by,
    at,
    type: "update",
    resource: "USER",
    resourceId: it.id,
    changed,
    description: describeChange(by.name, it.name, changed),
  });
}
