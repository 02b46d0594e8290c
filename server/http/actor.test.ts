import { expect, test } from "vitest";
import { actors } from "../testing/authorization/actors.ts";
import { relationTo } from "./actor.ts";

test("a record is the caller's own only if it belongs to them, and maintained only where the caller's records say so", () => {
  const { stranger, submitter, carer, keeper } = actors;
  expect(relationTo(stranger, { ownerId: 1 }).self).toBe(true);
  expect(relationTo(submitter, { ownerId: 1 }).self).toBe(false);
  expect(relationTo(stranger, {}).self).toBe(false);
  expect(relationTo(submitter, { submitterId: 7, responsibleId: 5 })).toMatchObject({
    submitter: true,
    responsible: false,
  });
  expect(relationTo(keeper, { repositoryId: 12 }).maintainsRepository).toBe(true);
  expect(relationTo(keeper, { repositoryId: 13 }).maintainsRepository).toBe(false);
  const gridwalk = { repositoryId: 12, normalizedName: "gridwalk" };
  expect(relationTo(carer, gridwalk).maintainsPackage).toBe(true);
  expect(relationTo(carer, { ...gridwalk, repositoryId: 13 }).maintainsPackage).toBe(false);
  expect(relationTo(carer, { ...gridwalk, normalizedName: "other" }).maintainsPackage).toBe(false);
});
