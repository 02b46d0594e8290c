import { randomUUID } from "node:crypto";
import type { ChangedProperty } from "@packhouse/contract/events";
import type { ViolationCode } from "@packhouse/contract/messages";
import { may } from "@packhouse/contract/permissions";
import { rankOf, roles } from "@packhouse/contract/roles";
import { user as userShape } from "@packhouse/contract/users";
import type { Tx } from "../db/database.ts";
import type { Deps } from "../deps.ts";
import { change, recordEvent } from "../events/record-event.ts";
import { type PatchOperation, patched } from "../http/json-patch.ts";
import { invalid, malformedPatch, Refusal } from "../http/refusal.ts";
import { restores } from "../http/restores.ts";
import { rechooseResponsible } from "../packages/responsible-user.ts";
import { type Actor, standingTo } from "../sign-in/actor.ts";
import { userBody } from "./present-user.ts";
import { type User, users } from "./store.ts";

const fixed = ["name", "login", "email", "createdOn", "lastLoggedInOn"] as const;

/** Changes a person's role, activity or deletion. The last active administrator stays. */
export async function editUser(
  deps: Deps,
  actor: Actor,
  id: number,
  operations: readonly PatchOperation[],
): Promise<User> {
  await deps.db.transaction().execute(async (tx) => {
    const store = users(tx);
    await store.lockAdministrators();
    await tx.selectFrom("users").select("id").where("id", "=", id).forUpdate().execute();
    const before = await store.byId(id);
    if (!before) throw new Refusal("user.notfound");
    if (!may("editUser", actor, standingTo(actor, { ownerId: id }))) throw new Refusal("user.not.authorized");
    if (before.deleted) return restore(deps, tx, actor, before, operations);

    const item = userBody(before);
    const after = patched(userShape, item, operations);
    const role = roles.find((candidate) => candidate.id === after.roleId);
    if (!role) throw malformedPatch("there is no such role");
    const codes: ViolationCode[] = fixed.filter((name) => after[name] !== item[name]).map(() => "forbidden.update");
    if (codes.length > 0) throw invalid(codes);
    const active = after.active && !after.deleted;
    const staysAdministrator = role.name === "admin" && active;
    const isAdministrator = before.rank === rankOf("admin") && before.active;
    if (isAdministrator && !staysAdministrator && !(await store.otherActiveAdministrators(id)))
      throw invalid(["no.admin.left"]);

    const changed = [
      ...change("role", item.role, role.name),
      ...change("active", before.active, active),
      ...change("deleted", false, after.deleted),
    ];
    if (changed.length === 0) return;
    await store.update(id, { rank: role.value, active, deleted: after.deleted });
    if (before.active && !active) await store.revoke(id);
    await leaveRole(tx, before, role.value);
    await rechooseResponsible(tx, "everywhere");
    await record(deps, tx, actor, before, changed);
  });
  const row = await users(deps.db).byId(id);
  if (!row) throw new Refusal("user.notfound");
  return row;
}

/** A maintainer record counts for exactly one role, so it goes when the role does, upwards too. */
async function leaveRole(tx: Tx, before: User, rank: number): Promise<void> {
  if (before.rank === rank) return;
  const tables = {
    [rankOf("packagemaintainer")]: "package_maintainers",
    [rankOf("repositorymaintainer")]: "repository_maintainers",
  } as const;
  const table = tables[before.rank];
  if (table) await users(tx).leaveRecords(table, before.id, randomUUID());
}

async function restore(
  deps: Deps,
  tx: Tx,
  actor: Actor,
  before: User,
  operations: readonly PatchOperation[],
): Promise<void> {
  if (!restores(operations)) throw new Refusal("editing.deleted.resource.not.possible");
  await users(tx).update(before.id, { deleted: false, deletion_id: null });
  await record(deps, tx, actor, before, change("deleted", true, false));
}

async function record(deps: Deps, tx: Tx, actor: Actor, it: User, changed: ChangedProperty[]): Promise<void> {
  await recordEvent(tx, {
    by: actor,
    at: deps.clock(),
    type: "update",
    resource: "USER",
    resourceId: it.id,
    changed,
    description: `${actor.name} changed ${changed.map(({ property, valueAfter }) => `${property} to ${valueAfter}`).join(", ")} for ${it.name}.`,
  });
}
