import { describe, expect, test } from "vitest";
import type { Actor } from "../../http/actor.ts";
import { brokenRules, canDelete, canPatch, mayRead } from "./package-maintainer.ts";

const actor = (role: Actor["role"], maintained: number[] = [], id = 1): Actor => ({
  id,
  role,
  login: "somebody",
  name: "Somebody",
  email: "somebody@example.org",
  maintainedRepositories: new Set(maintained),
  maintainedPackages: new Set(),
  closedRepositories: [],
  byAccessToken: false,
});
const appointment = { packageName: "tidetable", userId: 5, role: "packagemaintainer", holders: [] } as const;

describe("appointing a package maintainer", () => {
  test("breaks no rule while nobody maintains the package", () => {
    expect(brokenRules(appointment, false)).toEqual([]);
    expect(brokenRules({ ...appointment, role: "admin" }, false)).toEqual([]);
  });
  test("needs a package name and a role that is high enough, and reports both at once", () => {
    expect(brokenRules({ ...appointment, packageName: "", role: "user" }, false)).toEqual([
      "empty.package",
      "user.permissions.not.sufficient",
    ]);
  });
  test("is refused to the same person twice, and to a second one unless several are allowed", () => {
    expect(brokenRules({ ...appointment, holders: [5, 6] }, true)).toEqual(["package.already.maintained"]);
    expect(brokenRules({ ...appointment, holders: [6] }, false)).toEqual(["package.has.maintainer"]);
    expect(brokenRules({ ...appointment, holders: [6] }, true)).toEqual([]);
  });
});

describe("a package maintainer's record", () => {
  const record = {
    repository_id: 12,
    user_id: 5,
    package_name: "tidetable",
    deleted: false,
    user_role: "packagemaintainer",
    user_deleted: false,
    repository_deleted: false,
    holders: [],
  } as const;

  test("is changed and deleted by administrators and by maintainers of its repository", () => {
    for (const who of [actor("admin"), actor("repositorymaintainer", [12])])
      expect([canPatch(who, record, false), canDelete(who, record)]).toEqual([true, true]);
    for (const who of [actor("repositorymaintainer", [13]), actor("packagemaintainer", [], 5)])
      expect([canPatch(who, record, false), canDelete(who, record)]).toEqual([false, false]);
  });

  test("that is deleted is restored and purged by administrators only", () => {
    const deleted = { ...record, deleted: true };
    expect([canPatch(actor("admin"), deleted, false), canDelete(actor("admin"), deleted)]).toEqual([true, true]);
    const maintainer = actor("repositorymaintainer", [12]);
    expect([canPatch(maintainer, deleted, false), canDelete(maintainer, deleted)]).toEqual([false, false]);
  });

  test.each([{ user_deleted: true }, { repository_deleted: true }, { user_role: "user" as const }, { holders: [6] }])(
    "cannot be restored with %j",
    (change) => {
      expect(canPatch(actor("admin"), { ...record, deleted: true, ...change }, false)).toBe(false);
    },
  );

  test("is read by its own person while it lives", () => {
    const own = actor("repositorymaintainer", [], 5);
    expect(mayRead(own, record)).toBe(true);
    expect(mayRead(own, { ...record, deleted: true })).toBe(false);
    expect(mayRead(actor("repositorymaintainer", [], 6), record)).toBe(false);
  });
});
