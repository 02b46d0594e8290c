import { type Actor, packageKey } from "../../http/actor.ts";

/** Users for tests of permission rules, around repository 12 and its package `gridwalk`. */
const someUser: Actor = {
  id: 1,
  role: "user",
  login: "somebody",
  name: "Somebody",
  email: "somebody@example.org",
  maintainedRepositories: new Set(),
  maintainedPackages: new Set(),
  closedRepositories: [],
  byAccessToken: false,
};
export const actors = {
  stranger: someUser,
  submitter: { ...someUser, id: 7 },
  responsible: { ...someUser, id: 5 },
  carer: { ...someUser, role: "packagemaintainer", maintainedPackages: new Set([packageKey(12, "gridwalk")]) },
  keeper: { ...someUser, role: "repositorymaintainer", maintainedRepositories: new Set([12]) },
  admin: { ...someUser, role: "admin" },
} as const satisfies Record<string, Actor>;
