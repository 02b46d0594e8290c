import { expect, test } from "vitest";
import { may, type PermissionName, permissions, type Relation } from "./permissions.ts";
import type { RoleName } from "./roles.ts";

/** Callers that the table distinguishes, with their relation to the record. */
const callers = {
  user: ["user", {}],
  "user about their own": ["user", { self: true }],
  submitter: ["user", { submitter: true }],
  "responsible user": ["user", { responsible: true }],
  "user with records of a former role": ["user", { maintainsPackage: true, maintainsRepository: true }],
  "package maintainer elsewhere": ["packagemaintainer", { maintainsRepository: true }],
  "package maintainer": ["packagemaintainer", { maintainsPackage: true }],
  "responsible package maintainer": ["packagemaintainer", { responsible: true }],
  "submitting package maintainer": ["packagemaintainer", { maintainsPackage: true, submitter: true }],
  "repository maintainer elsewhere": ["repositorymaintainer", { maintainsPackage: true }],
  "repository maintainer": ["repositorymaintainer", { maintainsRepository: true }],
  "repository maintainer about their own": ["repositorymaintainer", { self: true }],
  administrator: ["admin", {}],
  "administrator about their own": ["admin", { self: true }],
  "submitting administrator": ["admin", { submitter: true }],
} as const satisfies Record<string, readonly [RoleName, Relation]>;
type CallerName = keyof typeof callers;

const administrators = ["administrator", "administrator about their own", "submitting administrator"] as const;
const others = ["administrator", "submitting administrator"] as const;
const ownersAndAdministrators = [
  "user about their own",
  "repository maintainer about their own",
  ...administrators,
] as const;
const keepers = ["repository maintainer", ...administrators] as const;
const packageEditors = [
  "responsible user",
  "package maintainer",
  "responsible package maintainer",
  "submitting package maintainer",
  ...keepers,
] as const;
const approvers = packageEditors.filter((name) => !name.startsWith("submitting"));
const atLeastRepositoryMaintainers = [
  "repository maintainer elsewhere",
  "repository maintainer about their own",
  ...keepers,
] as const;

/** Written without the table, so that each change to it has to be made twice. */
const expected: Record<PermissionName, readonly CallerName[] | "everybody"> = {
  readConfiguration: "everybody",
  checkServerAddress: administrators,
  crash: "everybody",

  listUsers: administrators,
  readOwnUser: "everybody",
  readUser: ownersAndAdministrators,
  editUser: others,
  changeRole: others,
  changeOwnPassword: "everybody",
  resetPassword: others,
  readUserSettings: ownersAndAdministrators,
  editUserSettings: ownersAndAdministrators,

  listAccessTokens: "everybody",
  createAccessToken: "everybody",
  readAccessToken: ownersAndAdministrators,
  editAccessToken: ownersAndAdministrators,
  deleteAccessToken: ownersAndAdministrators,

  readSecondFactors: "everybody",
  changeSecondFactors: "everybody",
  editSecondFactor: ["user about their own", "repository maintainer about their own", "administrator about their own"],
  resetSecondFactors: others,
  listSessions: "everybody",
  readSession: ownersAndAdministrators,
  endSession: ownersAndAdministrators,
  signOut: "everybody",

  readRepositories: "everybody",
  createRepository: administrators,
  editRepository: keepers,
  publishRepository: keepers,
  synchronizeRepository: keepers,
  reserveNames: administrators,
  purgeRepository: administrators,

  readPackages: "everybody",
  editPackage: packageEditors.filter((name) => name !== "responsible user"),
  purgePackage: administrators,

  readSubmissions: "everybody",
  upload: "everybody",
  uploadAccepted: ["package maintainer", "submitting package maintainer", ...keepers],
  patchSubmission: "everybody",
  acceptSubmission: approvers,
  rejectSubmission: approvers,
  cancelSubmission: ["submitter", "submitting package maintainer", "submitting administrator"],
  readWaitingPackage: ["submitter", ...packageEditors],
  purgeSubmission: administrators,

  listReviews: "everybody",
  readReview: ["submitter", ...packageEditors],
  commentOnRelease: ["submitter", ...packageEditors],
  editReviewComment: ["user about their own", "repository maintainer about their own", "administrator about their own"],
  reportCheck: ["submitter", ...packageEditors],
  decideOnRelease: approvers,
  assignRelease: approvers,
  assessRelease: approvers,

  listPackageMaintainers: atLeastRepositoryMaintainers,
  listCandidates: atLeastRepositoryMaintainers,
  createPackageMaintainer: keepers,
  readPackageMaintainer: ["repository maintainer about their own", ...keepers],
  editPackageMaintainer: keepers,
  purgePackageMaintainer: administrators,

  listRepositoryMaintainers: administrators,
  createRepositoryMaintainer: administrators,
  editRepositoryMaintainer: administrators,
  purgeRepositoryMaintainer: administrators,

  readEvents: "everybody",
  seeDeleted: administrators,
};

const withoutToken: readonly PermissionName[] = [
  "changeRole",
  "changeOwnPassword",
  "resetPassword",
  "createAccessToken",
  "changeSecondFactors",
  "editSecondFactor",
  "resetSecondFactors",
];

const callerNames = Object.keys(callers) as CallerName[]; // the keys of the table

const allowed = (name: PermissionName, byAccessToken: boolean) =>
  callerNames.filter((caller) => {
    const [role, relation] = callers[caller];
    return may(name, { id: 1, role, byAccessToken }, relation);
  });

test.each(Object.keys(permissions) as PermissionName[])("%s is allowed for exactly these callers", (name) => {
  const wanted = expected[name];
  const callers = new Set(wanted === "everybody" ? callerNames : wanted);
  expect(new Set(allowed(name, false))).toEqual(callers);
  expect(new Set(allowed(name, true))).toEqual(withoutToken.includes(name) ? new Set() : callers);
});
