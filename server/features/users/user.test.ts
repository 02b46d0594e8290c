import { describe, expect, test } from "vitest";
import type { Actor } from "../../http/actor.ts";
import { describeChange, losesAdministrator, modifiableProperties } from "./user.ts";

const actor = (id: number, role: Actor["role"]): Actor => ({
  id,
  role,
  login: `person-${id}`,
  name: `Person ${id}`,
  email: `person-${id}@example.org`,
  maintainedRepositories: new Set(),
  maintainedPackages: new Set(),
  closedRepositories: [],
  byAccessToken: false,
});
const live = { id: 7, deleted: false, login_taken: false };

describe("the modifiable properties of an account", () => {
  test("are activity, role and deletion for administrators", () => {
    expect(modifiableProperties(actor(1, "admin"), live)).toEqual(["deleted", "active", "roleId"]);
  });
  test("are none for everyone else, and none on one's own account", () => {
    expect(modifiableProperties(actor(1, "repositorymaintainer"), live)).toEqual([]);
    expect(modifiableProperties(actor(7, "admin"), live)).toEqual([]);
  });
  test("of a deleted account are its deletion, unless its login belongs to another user now", () => {
    expect(modifiableProperties(actor(1, "admin"), { ...live, deleted: true })).toEqual(["deleted"]);
    expect(modifiableProperties(actor(1, "admin"), { id: 7, deleted: true, login_taken: true })).toEqual([]);
  });
});

describe("an administrator", () => {
  const admin = { rank: 3, active: true, deleted: false };
  test("is lost through another role, deactivation or deletion", () => {
    expect(losesAdministrator(admin, { ...admin, rank: 2 })).toBe(true);
    expect(losesAdministrator(admin, { ...admin, active: false })).toBe(true);
    expect(losesAdministrator(admin, { rank: 3, active: false, deleted: true })).toBe(true);
  });
  test("who was inactive already is not lost again", () => {
    expect(losesAdministrator({ ...admin, active: false }, { rank: 0, active: false, deleted: false })).toBe(false);
  });
});

describe("the description of a change", () => {
  const changed = (property: string, valueBefore: string, valueAfter: string) => ({
    property,
    valueBefore,
    valueAfter,
  });
  test("is one sentence, whatever was changed", () => {
    expect(describeChange("Ada", "Bo", [changed("active", "true", "false"), changed("role", "user", "admin")])).toBe(
      "Ada gave Bo the role admin and deactivated Bo.",
    );
    expect(describeChange("Ada", "Bo", [changed("active", "true", "false"), changed("deleted", "false", "true")])).toBe(
      "Ada deleted the account of Bo.",
    );
    expect(describeChange("Ada", "Bo", [changed("deleted", "true", "false")])).toBe("Ada restored the account of Bo.");
  });
});
