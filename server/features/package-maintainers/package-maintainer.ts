import { longestName } from "@packhouse/contract/limits";
import { may } from "@packhouse/contract/permissions";
import { hasRole, type RoleName } from "@packhouse/contract/roles";
import type { ViolationCode } from "@packhouse/contract/violations";
import { type Actor, standingTo } from "../../http/actor.ts";

/** What decides whether somebody can maintain a package. */
export interface Appointment {
  packageName: string;
  userId: number;
  role: RoleName;
  /** People who maintain the package already, by other records. */
  holders: readonly number[];
}

/** Every rule that an appointment breaks. `several`: whether a package may have more than one maintainer. */
export function brokenRules({ packageName, userId, role, holders }: Appointment, several: boolean): ViolationCode[] {
  const codes: ViolationCode[] = [];
  if (packageName === "") codes.push("empty.package");
  else if (packageName.length > longestName) codes.push("package.name.too.long");
  if (!hasRole(role, "packagemaintainer")) codes.push("user.permissions.not.sufficient");
  if (holders.includes(userId)) codes.push("package.already.maintained");
  else if (holders.length > 0 && !several) codes.push("package.has.maintainer");
  return codes;
}

/** The parts of a record that decide what can be done with it. */
export interface JudgedPackageMaintainer {
  repository_id: number;
  user_id: number;
  package_name: string;
  deleted: boolean;
  user_role: RoleName;
  user_deleted: boolean;
  repository_deleted: boolean;
  /** Of a deleted record: who maintains its package now. */
  holders: readonly number[];
}

const standing = (actor: Actor, it: { repository_id: number }) => standingTo(actor, { repositoryId: it.repository_id });

export const mayEdit = (actor: Actor, it: { repository_id: number }): boolean =>
  may("editPackageMaintainer", actor, standing(actor, it));

/** Repository maintainers see the records of their repositories, deleted ones too; everybody else his own live ones. */
export const mayRead = (actor: Actor, it: JudgedPackageMaintainer): boolean =>
  may("readPackageMaintainer", actor, {
    ...standing(actor, it),
    self: !it.deleted && it.user_id === actor.id,
  });

/** Whether at least one patch by this person can succeed: any of a live record, the restoration of a deleted one. */
export function canPatch(actor: Actor, it: JudgedPackageMaintainer, several: boolean): boolean {
  if (!it.deleted) return mayEdit(actor, it);
  const { package_name: packageName, user_id: userId, user_role: role, holders } = it;
  const back = !it.user_deleted && !it.repository_deleted;
  return may("seeDeleted", actor) && back && brokenRules({ packageName, userId, role, holders }, several).length === 0;
}

/** A live record can be deleted, a deleted one purged. */
export const canDelete = (actor: Actor, it: JudgedPackageMaintainer): boolean =>
  it.deleted ? may("purgePackageMaintainer", actor) : mayEdit(actor, it);
