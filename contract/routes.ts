import type { PermissionName } from "./permissions.ts";

/**
 * Every call below `/api/v2/manager`, with the permission that its role check reads.
 * The server cannot register a route that is not here, and a test fails for a row that nobody serves.
 */
export const routes = {
  "GET /config": "readConfiguration",
  "GET /r/config": "readConfiguration",
  "GET /version": "readConfiguration",
  "POST /check-server-address": "checkServerAddress",

  "GET /users": "listUsers",
  "GET /users/roles": "listUsers",
  "GET /users/me": "readOwnUser",
  "GET /users/:id": "readUser",
  "PATCH /users/:id": "editUser",
  "GET /user-settings/:id": "readUserSettings",
  "PATCH /user-settings/:id": "editUserSettings",

  "GET /sessions": "listSessions",
  "GET /sessions/:id": "readSession",
  "DELETE /sessions/:id": "endSession",
  "DELETE /users/:id/sessions": "endSession",
  "POST /logout": "signOut",

  "GET /access-tokens": "listAccessTokens",
  "POST /access-tokens": "createAccessToken",
  "GET /access-tokens/:id": "readAccessToken",
  "PATCH /access-tokens/:id": "editAccessToken",
  "DELETE /access-tokens/:id": "deleteAccessToken",

  "GET /second-factors": "readSecondFactors",
  "POST /second-factors/enrollment": "changeSecondFactors",
  "POST /second-factors": "changeSecondFactors",
  "PATCH /second-factors/:id": "editSecondFactor",
  "POST /second-factors/:id/removal": "editSecondFactor",
  "POST /second-factors/recovery-codes": "changeSecondFactors",
  "POST /users/:id/reset-second-factors": "resetSecondFactors",

  "GET /repositories": "readRepositories",
  "GET /repositories/:id": "readRepositories",
  "GET /repositories/:id/snapshots": "readRepositories",
  "GET /repositories/:id/mirrors": "synchronizeRepository",
  "GET /r/repositories": "readRepositories",
  "GET /r/repositories/:id": "readRepositories",
  "GET /r/repositories/bad-endpoint": "crash",
  "POST /r/repositories": "createRepository",
  "PATCH /r/repositories/:id": "editRepository",
  "DELETE /r/repositories/:id": "purgeRepository",
  "POST /r/repositories/:id/republish": "publishRepository",
  "POST /r/repositories/:id/synchronize-mirrors": "synchronizeRepository",
  "GET /r/repositories/:id/synchronization-status": "synchronizeRepository",
  "GET /python/repositories": "readRepositories",
  "GET /python/repositories/:id": "readRepositories",
  "POST /python/repositories": "createRepository",
  "PATCH /python/repositories/:id": "editRepository",
  "DELETE /python/repositories/:id": "purgeRepository",
  "POST /python/repositories/:id/republish": "publishRepository",
  "POST /python/repositories/:id/synchronize-mirrors": "synchronizeRepository",
  "GET /python/repositories/:id/synchronization-status": "synchronizeRepository",

  "GET /packages": "readPackages",
  "GET /packages/:id": "readPackages",
  "GET /packages/:id/dependencies": "readPackages",
  "GET /r/packages": "readPackages",
  "GET /r/packages/:id": "readPackages",
  "PATCH /r/packages/:id": "editPackage",
  "DELETE /r/packages/:id": "purgePackage",
  "GET /r/packages/:id/download/:file": "readPackages",
  "GET /r/packages/:id/manual": "readPackages",
  "GET /r/packages/:id/manual.html": "readPackages",
  "GET /r/packages/:id/vignettes": "readPackages",
  "GET /r/packages/:id/vignettes/:file": "readPackages",
  "GET /python/packages": "readPackages",
  "GET /python/packages/:id": "readPackages",
  "PATCH /python/packages/:id": "editPackage",
  "DELETE /python/packages/:id": "purgePackage",
  "GET /python/packages/:id/download/:file": "readPackages",

  "GET /submissions": "readSubmissions",
  "GET /submissions/:id": "readSubmissions",
  "GET /r/submissions": "readSubmissions",
  "GET /r/submissions/:id": "readSubmissions",
  "POST /r/submissions": "upload",
  "PATCH /r/submissions/:id": "patchSubmission",
  "DELETE /r/submissions/:id": "purgeSubmission",
  "GET /python/submissions": "readSubmissions",
  "GET /python/submissions/:id": "readSubmissions",
  "POST /python/submissions": "upload",
  "PATCH /python/submissions/:id": "patchSubmission",
  "DELETE /python/submissions/:id": "purgeSubmission",

  "GET /package-maintainers": "listPackageMaintainers",
  "GET /package-maintainers/candidates": "listCandidates",
  "GET /package-maintainers/:id": "readPackageMaintainer",
  "POST /package-maintainers": "createPackageMaintainer",
  "PATCH /package-maintainers/:id": "editPackageMaintainer",
  "DELETE /package-maintainers/:id": "purgePackageMaintainer",

  "GET /repository-maintainers": "listRepositoryMaintainers",
  "GET /repository-maintainers/:id": "listRepositoryMaintainers",
  "POST /repository-maintainers": "createRepositoryMaintainer",
  "PATCH /repository-maintainers/:id": "editRepositoryMaintainer",
  "DELETE /repository-maintainers/:id": "purgeRepositoryMaintainer",

  "GET /events": "readEvents",
  "GET /events/:id": "readEvents",
} as const satisfies Record<string, PermissionName>;

export type RouteName = keyof typeof routes;

export const apiPrefix = "/api/v2/manager";
