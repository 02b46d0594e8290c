import type { SubmissionState } from "@packhouse/contract/references";
import { describe, expect, test } from "vitest";
import type { Actor } from "../../http/actor.ts";
import { Refusal } from "../../platform/errors/refusal.ts";
import { actors } from "../../testing/authorization/actors.ts";
import type { PackageStatus } from "../packages/package.ts";
import { canDecide, checkAuthority, checkWaiting } from "./submission.ts";

const { stranger, submitter, responsible, carer, keeper, admin } = actors;

const waiting: PackageStatus = {
  repository_id: 12,
  normalized_name: "gridwalk",
  responsible_user_id: 5,
  submitter_id: 7,
  submission_state: "WAITING",
  deleted: false,
  restorable: false,
  repository: { id: 12, name: "north" },
};
const inState = (submission_state: SubmissionState): PackageStatus => ({ ...waiting, submission_state });

/** The answer to a patch to this state, as far as the rules decide it. */
function answer(actor: Actor, asked: SubmissionState, it: PackageStatus): string {
  try {
    checkAuthority(asked, actor, it);
    checkWaiting(it);
    return "done";
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
}
const forbidden = "user.not.authorized";
const impossible = "error.malformed.patch";

describe("a waiting submission", () => {
  test.for([
    ["its submitter", submitter, forbidden, forbidden, "done"],
    ["a submitter who is an administrator", { ...admin, id: 7 }, forbidden, forbidden, "done"],
    ["a stranger", stranger, forbidden, forbidden, forbidden],
    ["the responsible person, whatever the role", responsible, "done", "done", forbidden],
    ["the package's maintainer", carer, "done", "done", forbidden],
    ["the repository's maintainer", keeper, "done", "done", forbidden],
    ["an administrator", admin, "done", "done", forbidden],
  ] as const)("takes from %s what that person may give", ([, actor, accepted, rejected, cancelled]) => {
    expect(
      ["ACCEPTED", "REJECTED", "CANCELLED"].map((state) => answer(actor, state as SubmissionState, waiting)),
    ).toEqual([accepted, rejected, cancelled]);
    expect(canDecide(actor, waiting)).toBe([accepted, rejected, cancelled].includes("done"));
  });
});

describe("a decided submission", () => {
  test("stays unchanged, and reports its state only to users who could have changed it", () => {
    for (const state of ["ACCEPTED", "REJECTED", "CANCELLED"] as const) {
      expect([answer(admin, "ACCEPTED", inState(state)), answer(stranger, "ACCEPTED", inState(state))]).toEqual([
        impossible,
        forbidden,
      ]);
      expect(canDecide(admin, inState(state))).toBe(false);
    }
  });
  test("cannot be canceled: no longer by its submitter, never by others", () => {
    expect(answer(submitter, "CANCELLED", inState("ACCEPTED"))).toBe(impossible);
    expect(answer(admin, "CANCELLED", inState("ACCEPTED"))).toBe(forbidden);
  });
  test("takes its own state only from those who may edit the package", () => {
    expect(answer(submitter, "CANCELLED", inState("CANCELLED"))).toBe(forbidden);
    expect(answer({ ...carer, id: 7 }, "CANCELLED", inState("CANCELLED"))).toBe(impossible);
    expect(answer(carer, "REJECTED", inState("REJECTED"))).toBe(impossible);
  });
  test("never waits again", () => {
    expect(answer(admin, "WAITING", inState("ACCEPTED"))).toBe(forbidden);
  });
});

describe("a submission whose repository was deleted", () => {
  test("cannot be decided", () => {
    const gone = { ...waiting, deleted: true };
    expect([answer(admin, "ACCEPTED", gone), canDecide(admin, gone)]).toEqual([
      "editing.deleted.resource.not.possible",
      false,
    ]);
  });
});
