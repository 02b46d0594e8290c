import { type Actor, packageKey } from "../http/actor.ts";

/** Users for tests of permission rules, around repository 12 and its package `gridwalk`. */
const somebody: Actor = {
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
  stranger: somebody,
  submitter: { ...somebody, id: 7 },
  responsible: { ...somebody, id: 5 },
  carer: { ...somebody, role: "packagemaintainer", maintainedPackages: new Set([packageKey(12, "gridwalk")]) },
  keeper: { ...somebody, role: "repositorymaintainer", maintainedRepositories: new Set([12]) },
  admin: { ...somebody, role: "admin" },
} as const satisfies Record<string, Actor>;
