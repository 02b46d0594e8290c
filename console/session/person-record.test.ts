import { describe, expect, test } from "vitest";
import { type PersonRecord, roleToActBy } from "./person-record.ts";

const person = (role: string, roleId: number): PersonRecord => ({
  id: 1,
  name: "Ines Harrow",
  email: "",
  login: "ines",
  active: true,
  lastLoggedInOn: "",
  createdOn: "",
  deleted: false,
  roleId,
  role,
  expirationDate: null,
  userSettings: null,
  links: [],
});

describe("the role somebody acts by", () => {
  test("is the own one where it is known", () => {
    expect(roleToActBy(person("repositorymaintainer", 3))).toBe("repositorymaintainer");
  });

  test("is the nearest lower one of a role that only the server knows", () => {
    expect(roleToActBy(person("auditor", 5))).toBe("admin");
    expect(roleToActBy(person("guest", 0))).toBe("user");
  });
});
