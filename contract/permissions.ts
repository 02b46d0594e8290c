import { hasRole, type RoleName } from "./roles.ts";

/** The caller. */
export interface Caller {
  id: number;
  role: RoleName;
  /** Signed in by an access token; absent means no. */
  byAccessToken?: boolean;
}

/**
 * The caller's relation to the record in question, as the server determines it; absent means no.
 * A maintainer record only counts while the user's role is exactly the one it belongs to.
 */
export interface Relation {
  /** The record is the caller's own account, settings, token … */
  self?: boolean;
  /** The caller uploaded it. */
  submitter?: boolean;
  /** The caller is the responsible person of the package. */
  responsible?: boolean;
  /** A live repository-maintainer record of the caller covers it. */
  maintainsRepository?: boolean;
  /** A live package-maintainer record of the caller covers it. */
  maintainsPackage?: boolean;
}

export interface Permission {
  /** The lowest role that may call at all; checked before any record is read. */
  role: RoleName;
  /** Not with an access token: a stolen one must not create anything that outlives it, neither accounts nor roles. */
  withoutToken?: true;
  /** The rule on the record itself; without one, the role is enough. */
  record?: (caller: Caller, relation: Relation) => boolean;
}

const isAdmin = (caller: Caller) => caller.role === "admin";

const editsRepository = (caller: Caller, its: Relation) =>
  isAdmin(caller) || (caller.role === "repositorymaintainer" && its.maintainsRepository === true);

const editsPackage = (caller: Caller, its: Relation) =>
  its.responsible === true ||
  editsRepository(caller, its) ||
  (caller.role === "packagemaintainer" && its.maintainsPackage === true);

/** Nobody decides about what they have uploaded. */
const decides = (caller: Caller, its: Relation) => its.submitter !== true && editsPackage(caller, its);

const readsReview = (caller: Caller, its: Relation) => its.submitter === true || editsPackage(caller, its);

const selfOrAdmin = (caller: Caller, its: Relation) => its.self === true || isAdmin(caller);

/**
 * The single table of who may do what. The server authorizes with it and builds the permission links from it,
 * the console hides and explains actions with it, and the tests cover all of it.
 */
export const permissions = {
  readConfiguration: { role: "user" },
  checkServerAddress: { role: "admin" },
  crash: { role: "user" },

  listUsers: { role: "admin" },
  readOwnUser: { role: "user" },
  readUser: { role: "user", record: selfOrAdmin },
  editUser: { role: "admin", record: (_caller, its) => its.self !== true },
  changeRole: { role: "admin", withoutToken: true, record: (_caller, its) => its.self !== true },
  changeOwnPassword: { role: "user", withoutToken: true },
  resetPassword: { role: "admin", withoutToken: true, record: (_caller, its) => its.self !== true },
  readUserSettings: { role: "user", record: selfOrAdmin },
  editUserSettings: { role: "user", record: selfOrAdmin },

  listAccessTokens: { role: "user" },
  createAccessToken: { role: "user", withoutToken: true },
  readAccessToken: { role: "user", record: selfOrAdmin },
  editAccessToken: { role: "user", record: selfOrAdmin },
  deleteAccessToken: { role: "user", record: selfOrAdmin },

  /** The caller's own. */
  readSecondFactors: { role: "user" },
  changeSecondFactors: { role: "user", withoutToken: true },
  editSecondFactor: { role: "user", withoutToken: true, record: (_caller, its) => its.self === true },
  /** The caller's own are removed one by one, with the password. */
  resetSecondFactors: { role: "admin", withoutToken: true, record: (_caller, its) => its.self !== true },
  listSessions: { role: "user" },
  readSession: { role: "user", record: selfOrAdmin },
  endSession: { role: "user", record: selfOrAdmin },
  signOut: { role: "user" },

  readRepositories: { role: "user" },
  createRepository: { role: "admin" },
  editRepository: { role: "repositorymaintainer", record: editsRepository },
  publishRepository: { role: "repositorymaintainer", record: editsRepository },
  synchronizeRepository: { role: "repositorymaintainer", record: editsRepository },
  /** What no mirror may import into a repository. */
  reserveNames: { role: "admin" },
  purgeRepository: { role: "admin" },

  readPackages: { role: "user" },
  editPackage: { role: "packagemaintainer", record: editsPackage },
  purgePackage: { role: "admin" },

  readSubmissions: { role: "user" },
  upload: { role: "user" },
  /** Whether an upload is accepted immediately. */
  uploadAccepted: {
    role: "packagemaintainer",
    record: (caller, its) =>
      editsRepository(caller, its) || (caller.role === "packagemaintainer" && its.maintainsPackage === true),
  },
  patchSubmission: { role: "user" },
  acceptSubmission: { role: "user", record: decides },
  rejectSubmission: { role: "user", record: decides },
  cancelSubmission: { role: "user", record: (_caller, its) => its.submitter === true },
  /** Archive, manual and vignettes of a waiting package. */
  readWaitingPackage: { role: "user", record: readsReview },
  purgeSubmission: { role: "admin" },

  /** Only releases that the caller may decide on, and their own. */
  listReviews: { role: "user" },
  /** What is known and written about a release, also once it has been decided. */
  readReview: { role: "user", record: readsReview },
  commentOnRelease: { role: "user", record: readsReview },
  /** The caller's own comment. */
  editReviewComment: { role: "user", record: (_caller, its) => its.self === true },
  reportCheck: { role: "user", record: readsReview },
  decideOnRelease: { role: "user", record: decides },
  assignRelease: { role: "user", record: decides },
  assessRelease: { role: "user", record: decides },

  listPackageMaintainers: { role: "repositorymaintainer" },
  listCandidates: { role: "repositorymaintainer" },
  createPackageMaintainer: { role: "repositorymaintainer", record: editsRepository },
  readPackageMaintainer: {
    role: "repositorymaintainer",
    record: (caller, its) => its.self === true || editsRepository(caller, its),
  },
  editPackageMaintainer: { role: "repositorymaintainer", record: editsRepository },
  purgePackageMaintainer: { role: "admin" },

  listRepositoryMaintainers: { role: "admin" },
  createRepositoryMaintainer: { role: "admin" },
  editRepositoryMaintainer: { role: "admin" },
  purgeRepositoryMaintainer: { role: "admin" },

  readEvents: { role: "user" },

  /** Deleted records, purged events: for administrators only. */
  seeDeleted: { role: "admin" },
} as const satisfies Record<string, Permission>;

export type PermissionName = keyof typeof permissions;

/** Whether a caller with this relation to the record may do this. */
export function may(name: PermissionName, caller: Caller, relation: Relation = {}): boolean {
  const permission: Permission = permissions[name];
  return mayTry(name, caller) && (permission.record?.(caller, relation) ?? true);
}

/** Whether the caller's role is high enough to try at all, and their way of signing in allows it. */
export function mayTry(name: PermissionName, { role, byAccessToken }: Omit<Caller, "id">): boolean {
  const permission: Permission = permissions[name];
  return hasRole(role, permission.role) && !(byAccessToken && permission.withoutToken);
}
