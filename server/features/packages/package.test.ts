import { describe, expect, test } from "vitest";
import { type Actor, packageKey } from "../../http/actor.ts";
import { actors } from "../../testing/authorization/actors.ts";
import { canDelete, canPatch, isVisible, mayRead, type PackageStatus } from "./package.ts";

const { stranger: nobody, admin, keeper, carer } = actors;
const accepted: PackageStatus = {
  repository_id: 12,
  normalized_name: "gridwalk",
  responsible_user_id: 5,
  submitter_id: 7,
  submission_state: "ACCEPTED",
  deleted: false,
  restorable: false,
  repository: { id: 12, name: "north" },
};
const waiting: PackageStatus = { ...accepted, submission_state: "WAITING" };
const deleted: PackageStatus = { ...accepted, deleted: true, restorable: true };

const links = (actor: Actor, it: PackageStatus) => [canPatch(actor, it), canDelete(actor, it)];

describe("an accepted package", () => {
  test("can be changed and deleted by its maintainers, its repository's maintainers and administrators", () => {
    for (const actor of [admin, keeper, carer]) expect(links(actor, accepted)).toEqual([true, true]);
  });
  test("cannot be changed by other users and maintainers", () => {
    expect(links(nobody, accepted)).toEqual([false, false]);
    expect(links({ ...keeper, maintainedRepositories: new Set([13]) }, accepted)).toEqual([false, false]);
    expect(links({ ...carer, maintainedPackages: new Set([packageKey(13, "gridwalk")]) }, accepted)).toEqual([
      false,
      false,
    ]);
  });
  test("can be changed by its responsible user, if at least package maintainer", () => {
    expect(links({ ...nobody, id: 5, role: "packagemaintainer" }, accepted)).toEqual([true, true]);
    expect(links({ ...nobody, id: 5 }, accepted)).toEqual([false, false]);
  });
});

describe("a waiting package", () => {
  test("can be deleted by those who may edit it", () => {
    for (const actor of [admin, keeper, carer]) expect(links(actor, waiting)).toEqual([true, true]);
    const submitter = { ...nobody, id: 7 };
    for (const actor of [nobody, submitter]) expect(links(actor, waiting)).toEqual([false, false]);
  });
  test("is visible to its submitter and to users who may decide", () => {
    const submitter = { ...nobody, id: 7 };
    const responsible = { ...nobody, id: 5 };
    for (const actor of [submitter, responsible, carer, keeper, admin]) expect(mayRead(actor, waiting)).toBe(true);
    expect(mayRead(nobody, waiting)).toBe(false);
    expect(mayRead(nobody, accepted)).toBe(true);
  });
});

describe("a deleted package", () => {
  test("is visible to administrators, who restore or purge it", () => {
    expect([isVisible(admin, deleted), ...links(admin, deleted)]).toEqual([true, true, true]);
    expect([isVisible(keeper, deleted), ...links(keeper, deleted)]).toEqual([false, false, false]);
  });
  test("can only be purged when it cannot be restored", () => {
    expect(links(admin, { ...deleted, restorable: false })).toEqual([false, true]);
    expect(links(admin, { ...deleted, submission_state: "REJECTED" })).toEqual([false, true]);
  });
});
