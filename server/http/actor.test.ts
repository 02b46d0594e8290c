import { expect, test } from "vitest";
import { actors } from "../testing/actors.ts";
import { standingTo } from "./actor.ts";

test("a record is the caller's own only if it belongs to them, and maintained only where the caller's records say so", () => {
  const { stranger, submitter, carer, keeper } = actors;
  expect(standingTo(stranger, { ownerId: 1 }).self).toBe(true);
  expect(standingTo(submitter, { ownerId: 1 }).self).toBe(false);
  expect(standingTo(stranger, {}).self).toBe(false);
  expect(standingTo(submitter, { submitterId: 7, responsibleId: 5 })).toMatchObject({
    submitter: true,
    responsible: false,
  });
  expect(standingTo(keeper, { repositoryId: 12 }).maintainsRepository).toBe(true);
  expect(standingTo(keeper, { repositoryId: 13 }).maintainsRepository).toBe(false);
  const gridwalk = { repositoryId: 12, normalizedName: "gridwalk" };
  expect(standingTo(carer, gridwalk).maintainsPackage).toBe(true);
  expect(standingTo(carer, { ...gridwalk, repositoryId: 13 }).maintainsPackage).toBe(false);
  expect(standingTo(carer, { ...gridwalk, normalizedName: "other" }).maintainsPackage).toBe(false);
});
