import type { ChangedProperty } from "@packhouse/contract/events";
import { may } from "@packhouse/contract/permissions";
import { rankOf } from "@packhouse/contract/roles";
import { patchableOfUser } from "@packhouse/contract/users";
import { type Actor, relationTo } from "../../http/actor.ts";

/** The properties of an account that decide what can be done with it. */
export interface UserStatus {
  id: number;
  deleted: boolean;
  login_taken: boolean;
}

/** Nobody changes their own account: administrators could lock themselves out. */
export const mayEdit = (actor: Actor, it: { id: number }): boolean =>
  may("editUser", actor, relationTo(actor, { ownerId: it.id }));

export const mayChangeRole = (actor: Actor, it: { id: number }): boolean =>
  may("changeRole", actor, relationTo(actor, { ownerId: it.id }));

/** The fields that a patch by this user can change. For a deleted account only the deletion can be undone. */
export function modifiableProperties(actor: Actor, it: UserStatus): string[] {
  if (!mayEdit(actor, it)) return [];
  if (!it.deleted) return patchableOfUser.filter((field) => field !== "roleId" || mayChangeRole(actor, it));
  return it.login_taken ? [] : ["deleted"];
}

export interface AccountStatus {
  rank: number;
  active: boolean;
  deleted: boolean;
}

const administers = ({ rank, active, deleted }: AccountStatus): boolean =>
  rank === rankOf("admin") && active && !deleted;

/** Whether a change removes an administrator. */
export const losesAdministrator = (before: AccountStatus, after: AccountStatus): boolean =>
  administers(before) && !administers(after);

/** One sentence about what was done to a user. */
export function describeChange(who: string, whom: string, changed: readonly ChangedProperty[]): string {
  const to = new Map(changed.map(({ property, valueAfter }) => [property, valueAfter]));
  const deleted = to.get("deleted");
  if (deleted) return `${who} ${deleted === "true" ? "deleted" : "restored"} the account of ${whom}.`;
  const parts: string[] = [];
  if (to.has("role")) parts.push(`gave ${whom} the role ${to.get("role")}`);
  if (to.has("active")) parts.push(`${to.get("active") === "true" ? "activated" : "deactivated"} ${whom}`);
  return `${who} ${parts.join(" and ")}.`;
}
