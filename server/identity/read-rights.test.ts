import { roleName } from "@packhouse/contract/roles";
import { expect, test } from "vitest";
import { readSettings } from "../platform/settings/settings.ts";
import { closedTo } from "./read-rights.ts";

const settings = {
  ...readSettings({}),
  readRights: [
    { repository: "vault", role: "repositorymaintainer" as const, groups: ["keepers"] },
    { repository: "lab", groups: ["chemists"] },
  ],
};

test.each([
  ["user", [], ["vault", "lab"]],
  ["user", ["keepers"], ["lab"]],
  ["user", ["chemists", "others"], ["vault"]],
  ["packagemaintainer", [], ["vault", "lab"]],
  ["repositorymaintainer", [], ["lab"]],
  ["admin", [], []],
] as const)("to the role %s in the groups %j the repositories %j are closed", (role, groups, closed) => {
  expect(closedTo(settings, roleName.options.indexOf(role), groups)).toEqual(closed);
});
