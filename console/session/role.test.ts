import { describe, expect, test } from "vitest";
import { effectiveRole } from "./role.ts";

describe("the effective role", () => {
  test("is the user's own if it is known", () => {
    expect(effectiveRole({ role: "repositorymaintainer", roleId: 3 })).toBe("repositorymaintainer");
  });

  test("is the nearest lower one if only the server knows the role", () => {
    expect(effectiveRole({ role: "auditor", roleId: 5 })).toBe("admin");
    expect(effectiveRole({ role: "guest", roleId: 0 })).toBe("user");
  });
});
