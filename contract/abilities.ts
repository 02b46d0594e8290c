import { mayTry, type PermissionName } from "./permissions.ts";
import type { RoleName } from "./roles.ts";

/**
 * What the console checks before it opens a screen or sends a call, in terms of its permission model.
 * Each entry maps to a row of the permission table, so that the two cannot drift apart.
 */
const abilities = {
  "GET events": "readEvents",
  "GET packages": "readPackages",
  "GET repositories": "readRepositories",
  "GET submissions": "readSubmissions",
  "GET reviews": "listReviews",
  "GET packageMaintainers": "listPackageMaintainers",
  "GET repositoryMaintainers": "listRepositoryMaintainers",
  "GET users": "listUsers",
  "GET config": "readConfiguration",
  "GET settings": "readOwnUser",
  "POST submissions": "upload",
  "POST settings": "createAccessToken",
  "POST repository": "createRepository",
  "POST packageMaintainers": "createPackageMaintainer",
  "POST repositoryMaintainers": "createRepositoryMaintainer",
  "PATCH submissions": "patchSubmission",
  "PATCH package": "editPackage",
  "PATCH repository": "editRepository",
  "PATCH packageMaintainers": "editPackageMaintainer",
  "PATCH repositoryMaintainers": "editRepositoryMaintainer",
  "PATCH users": "editUser",
} as const satisfies Record<string, PermissionName>;

/** Whether records that were deleted still have a page for users with this role. */
export const seesDeleted = (role: RoleName): boolean => mayTry("seeDeleted", { role });

export type Ability = keyof typeof abilities;

export const can = (role: RoleName, ability: Ability): boolean => mayTry(abilities[ability], { role });
