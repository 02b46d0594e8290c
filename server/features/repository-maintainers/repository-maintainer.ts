import { may } from "@packhouse/contract/permissions";
import { hasRole, type RoleName } from "@packhouse/contract/roles";
import type { ViolationCode } from "@packhouse/contract/violations";
import type { Actor } from "../../http/actor.ts";

/** Every rule that making somebody of this role a repository maintainer breaks. `isDuplicate`: he is it already. */
export function brokenRules(role: RoleName, isDuplicate: boolean): ViolationCode[] {
  const codes: ViolationCode[] = [];
  if (!hasRole(role, "repositorymaintainer")) codes.push("user.permissions.not.sufficient");
  if (isDuplicate) codes.push("repositorymaintainer.duplicate");
  return codes;
}

/** The parts of a record that decide what can be done with it. */
export interface JudgedRepositoryMaintainer {
  deleted: boolean;
  user_role: RoleName;
  user_deleted: boolean;
  repository_deleted: boolean;
  /** The record is deleted, and the same person maintains the repository by another one. */
  is_duplicate: boolean;
}

/** Whether at least one patch by this person can succeed: any of a live record, the restoration of a deleted one. */
export function canPatch(actor: Actor, it: JudgedRepositoryMaintainer): boolean {
  if (!may("editRepositoryMaintainer", actor)) return false;
  if (!it.deleted) return true;
  return !it.user_deleted && !it.repository_deleted && brokenRules(it.user_role, it.is_duplicate).length === 0;
}

/** A live record can be deleted, a deleted one purged. */
export const canDelete = (actor: Actor, it: JudgedRepositoryMaintainer): boolean =>
  may(it.deleted ? "purgeRepositoryMaintainer" : "editRepositoryMaintainer", actor);
