import { longestName } from "@packhouse/contract/limits";
import { may, type PermissionName } from "@packhouse/contract/permissions";
import type { RepositoryRef, UserRef } from "@packhouse/contract/references";
import { hasRole, type RoleName } from "@packhouse/contract/roles";
import type { ViolationCode } from "@packhouse/contract/violations";
import { type Actor, relationTo } from "../../http/actor.ts";
import { invalid } from "../../platform/errors/refusal.ts";

/** What a user maintains: a package of a repository, or without a name the whole repository. */
export interface Place {
  repository_id: number;
  package_name?: string;
  normalized_name?: string;
}

/** The properties of a record that decide what can be done with it. */
export interface MaintainerStatus extends Place {
  user_id: number;
  deleted: boolean;
  user_role: RoleName;
  user_deleted: boolean;
  repository_deleted: boolean;
  /** For a deleted record: users who maintain the same place now. */
  holders: readonly number[];
}

/** A user's record for a package or a repository. */
export interface Maintainer extends MaintainerStatus {
  id: number;
  user: UserRef;
  repository: RepositoryRef;
}

/** A maintainer as requested; `packageName` is missing where a repository is maintained. */
export interface NewMaintainer {
  userId: number | undefined;
  repositoryId: number | undefined;
  packageName?: string;
}

/** Refuses a request that does not refer to a user and a repository. */
export function complete({ userId, repositoryId, ...place }: NewMaintainer) {
  const missing: ViolationCode[] = [];
  if (place.packageName === "") missing.push("empty.package");
  if (userId === undefined) missing.push("empty.user");
  if (repositoryId === undefined) missing.push("empty.repository");
  if (userId === undefined || repositoryId === undefined) throw invalid(missing);
  return { userId, repositoryId, ...place };
}

/** What decides whether a user can maintain a place. */
export interface Appointment {
  packageName?: string | undefined;
  userId: number;
  role: RoleName;
  /** Users who maintain the place already, through other records. */
  holders: readonly number[];
}

export interface MaintainerRules {
  permissions: Record<"create" | "read" | "edit" | "purge", PermissionName>;
  /** Every rule that an appointment breaks. `several`: whether a package may have more than one maintainer. */
  brokenRules(appointment: Appointment, several: boolean): ViolationCode[];
}

export const packageRules: MaintainerRules = {
  permissions: {
    create: "createPackageMaintainer",
    read: "readPackageMaintainer",
    edit: "editPackageMaintainer",
    purge: "purgePackageMaintainer",
  },
  brokenRules({ packageName = "", userId, role, holders }, several) {
    const codes: ViolationCode[] = [];
    if (packageName === "") codes.push("empty.package");
    else if (packageName.length > longestName) codes.push("package.name.too.long");
    if (!hasRole(role, "packagemaintainer")) codes.push("user.permissions.not.sufficient");
    if (holders.includes(userId)) codes.push("package.already.maintained");
    else if (holders.length > 0 && !several) codes.push("package.has.maintainer");
    return codes;
  },
};

export const repositoryRules: MaintainerRules = {
  permissions: {
    create: "createRepositoryMaintainer",
    read: "listRepositoryMaintainers",
    edit: "editRepositoryMaintainer",
    purge: "purgeRepositoryMaintainer",
  },
  brokenRules({ userId, role, holders }) {
    const codes: ViolationCode[] = [];
    if (!hasRole(role, "repositorymaintainer")) codes.push("user.permissions.not.sufficient");
    if (holders.includes(userId)) codes.push("repositorymaintainer.duplicate");
    return codes;
  },
};

const relationToPlace = (actor: Actor, it: Place) => relationTo(actor, { repositoryId: it.repository_id });

export const mayCreate = ({ permissions }: MaintainerRules, actor: Actor, place: Place): boolean =>
  may(permissions.create, actor, relationToPlace(actor, place));

export const mayEdit = ({ permissions }: MaintainerRules, actor: Actor, place: Place): boolean =>
  may(permissions.edit, actor, relationToPlace(actor, place));

/** Repository maintainers see the records of their repositories, deleted ones too; others their own live ones. */
export const mayRead = ({ permissions }: MaintainerRules, actor: Actor, it: MaintainerStatus): boolean =>
  may(permissions.read, actor, { ...relationToPlace(actor, it), self: !it.deleted && it.user_id === actor.id });

/** Whether at least one patch by this user can succeed: any on a live record, the restoration of a deleted one. */
export function canPatch(rules: MaintainerRules, actor: Actor, it: MaintainerStatus, several: boolean): boolean {
  if (!it.deleted) return mayEdit(rules, actor, it);
  if (!may("seeDeleted", actor) || it.user_deleted || it.repository_deleted) return false;
  const { package_name: packageName, user_id: userId, user_role: role, holders } = it;
  return rules.brokenRules({ packageName, userId, role, holders }, several).length === 0;
}

/** A live record can be deleted, a deleted one purged. */
export const canDelete = (rules: MaintainerRules, actor: Actor, it: MaintainerStatus): boolean =>
  it.deleted ? may(rules.permissions.purge, actor) : mayEdit(rules, actor, it);
