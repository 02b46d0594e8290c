import { describe, expect, test } from "vitest";
import { roleToActBy } from "./role.ts";

describe("the effective role", () => {
  test("is the user's own if it is known", () => {
    expect(roleToActBy({ role: "repositorymaintainer", roleId: 3 })).toBe("repositorymaintainer");
  });

  test("is the nearest lower one if only the server knows the role", () => {
    expect(roleToActBy({ role: "auditor", roleId: 5 })).toBe("admin");
    expect(roleToActBy({ role: "guest", roleId: 0 })).toBe("user");
  });
});
