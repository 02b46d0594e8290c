import { describe, expect, test } from "vitest";
import type { Actor } from "../../http/actor.ts";
import { brokenRules, canDelete, canPatch } from "./repository-maintainer.ts";

const actor = (role: Actor["role"]): Actor => ({
  id: 1,
  role,
  login: "somebody",
  name: "Somebody",
  email: "somebody@example.org",
  maintainedRepositories: new Set([12]),
  maintainedPackages: new Set(),
  closedRepositories: [],
  byAccessToken: false,
});
const record = {
  deleted: false,
  user_role: "repositorymaintainer",
  user_deleted: false,
  repository_deleted: false,
  is_duplicate: false,
} as const;

describe("making somebody a repository maintainer", () => {
  test("needs a role that is high enough and nothing twice", () => {
    expect(brokenRules("repositorymaintainer", false)).toEqual([]);
    expect(brokenRules("admin", false)).toEqual([]);
    expect(brokenRules("packagemaintainer", true)).toEqual([
      "user.permissions.not.sufficient",
      "repositorymaintainer.duplicate",
    ]);
  });
});

describe("a repository maintainer's record", () => {
  test("is for administrators to change and delete", () => {
    for (const it of [record, { ...record, deleted: true }]) {
      expect([canPatch(actor("admin"), it), canDelete(actor("admin"), it)]).toEqual([true, true]);
      const maintainer = actor("repositorymaintainer");
      expect([canPatch(maintainer, it), canDelete(maintainer, it)]).toEqual([false, false]);
    }
  });
  test.each([
    { user_deleted: true },
    { repository_deleted: true },
    { user_role: "user" as const },
    { is_duplicate: true },
  ])("cannot be restored with %j", (change) => {
    expect(canPatch(actor("admin"), { ...record, deleted: true, ...change })).toBe(false);
  });
});
