import { describe, expect, test } from "vitest";
import { roleToActBy } from "./role.ts";

describe("the role to go by", () => {
  test("is the own one where it is known", () => {
    expect(roleToActBy({ role: "repositorymaintainer", roleId: 3 })).toBe("repositorymaintainer");
  });

  test("is the nearest lower one of a role that only the server knows", () => {
    expect(roleToActBy({ role: "auditor", roleId: 5 })).toBe("admin");
    expect(roleToActBy({ role: "guest", roleId: 0 })).toBe("user");
  });
});
