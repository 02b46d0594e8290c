import { longestName } from "@packhouse/contract/limits";
import { describe, expect, test } from "vitest";
import type { Actor } from "../../http/actor.ts";
import { canDelete, canPatch, type MaintainerStatus, mayRead, packageRules, repositoryRules } from "./maintainer.ts";

const actor = (role: Actor["role"], maintained: number[] = [], id = 1): Actor => ({
  id,
  role,
  login: "caller",
  name: "Caller",
  email: "caller@example.org",
  maintainedRepositories: new Set(maintained),
  maintainedPackages: new Set(),
  closedRepositories: [],
  byAccessToken: false,
});
const admin = actor("admin");
const live = {
  repository_id: 12,
  user_id: 5,
  deleted: false,
  user_role: "repositorymaintainer",
  user_deleted: false,
  repository_deleted: false,
  holders: [],
} as const;

describe("appointing a package maintainer", () => {
  const { brokenRules } = packageRules;
  const appointment = { packageName: "tidetable", userId: 5, role: "packagemaintainer", holders: [] } as const;

  test("breaks no rule while nobody maintains the package", () => {
    expect(brokenRules(appointment, false)).toEqual([]);
    expect(brokenRules({ ...appointment, role: "admin" }, false)).toEqual([]);
  });
  test("needs a package name and a role that is high enough, and reports both together", () => {
    expect(brokenRules({ ...appointment, packageName: "", role: "user" }, false)).toEqual([
      "empty.package",
      "user.permissions.not.sufficient",
    ]);
  });
  test("takes a name of up to the maximum length", () => {
    const named = (length: number) => brokenRules({ ...appointment, packageName: "x".repeat(length) }, false);
    expect([named(longestName), named(longestName + 1)]).toEqual([[], ["package.name.too.long"]]);
  });
  test("is refused for the same user twice, and for a second one unless several are allowed", () => {
    expect(brokenRules({ ...appointment, holders: [5, 6] }, true)).toEqual(["package.already.maintained"]);
    expect(brokenRules({ ...appointment, holders: [6] }, false)).toEqual(["package.has.maintainer"]);
    expect(brokenRules({ ...appointment, holders: [6] }, true)).toEqual([]);
  });
});

describe("appointing a repository maintainer", () => {
  const { brokenRules } = repositoryRules;
  const appointment = { userId: 5, role: "repositorymaintainer", holders: [] } as const;

  test("needs a role that is high enough, and is refused for the same user twice", () => {
    expect(brokenRules(appointment, false)).toEqual([]);
    expect(brokenRules({ ...appointment, role: "admin", holders: [6] }, false)).toEqual([]);
    expect(brokenRules({ ...appointment, role: "packagemaintainer", holders: [5, 6] }, false)).toEqual([
      "user.permissions.not.sufficient",
      "repositorymaintainer.duplicate",
    ]);
  });
});

describe("a package maintainer's record", () => {
  const record: MaintainerStatus = { ...live, package_name: "tidetable", user_role: "packagemaintainer" };
  const may = (who: Actor, it: MaintainerStatus) => [
    canPatch(packageRules, who, it, false),
    canDelete(packageRules, who, it),
  ];

  test("is changed and deleted by administrators and by maintainers of its repository", () => {
    for (const who of [admin, actor("repositorymaintainer", [12])]) expect(may(who, record)).toEqual([true, true]);
    for (const who of [actor("repositorymaintainer", [13]), actor("packagemaintainer", [], 5)])
      expect(may(who, record)).toEqual([false, false]);
  });

  test("is restored and purged, once deleted, by administrators only", () => {
    const deleted = { ...record, deleted: true };
    expect(may(admin, deleted)).toEqual([true, true]);
    expect(may(actor("repositorymaintainer", [12]), deleted)).toEqual([false, false]);
  });

  test.each([{ user_deleted: true }, { repository_deleted: true }, { user_role: "user" as const }, { holders: [6] }])(
    "cannot be restored with %j",
    (change) => {
      expect(canPatch(packageRules, admin, { ...record, deleted: true, ...change }, false)).toBe(false);
    },
  );

  test("is visible to its own user until it is deleted", () => {
    const own = actor("repositorymaintainer", [], 5);
    expect(mayRead(packageRules, own, record)).toBe(true);
    expect(mayRead(packageRules, own, { ...record, deleted: true })).toBe(false);
    expect(mayRead(packageRules, actor("repositorymaintainer", [], 6), record)).toBe(false);
  });
});

describe("a repository maintainer's record", () => {
  test("is for administrators to read, change and delete", () => {
    for (const it of [live, { ...live, deleted: true }])
      for (const [who, allowed] of [
        [admin, true],
        [actor("repositorymaintainer", [12], 5), false],
      ] as const)
        expect([
          mayRead(repositoryRules, who, it),
          canPatch(repositoryRules, who, it, false),
          canDelete(repositoryRules, who, it),
        ]).toEqual([allowed, allowed, allowed]);
  });

  test.each([{ user_deleted: true }, { repository_deleted: true }, { user_role: "user" as const }, { holders: [5] }])(
    "cannot be restored with %j",
    (change) => {
      expect(canPatch(repositoryRules, admin, { ...live, deleted: true, ...change }, false)).toBe(false);
    },
  );
});
