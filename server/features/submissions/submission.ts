import { may } from "@packhouse/contract/permissions";
import type { SubmissionState } from "@packhouse/contract/references";
import type { Verdict } from "@packhouse/contract/submissions";
import { type Actor, standingTo } from "../../http/actor.ts";
import { malformedPatch, Refusal } from "../../platform/errors/refusal.ts";
import { type JudgedPackage, mayEdit, placeOf } from "../packages/package.ts";

const permissionFor = {
  ACCEPTED: "acceptSubmission",
  REJECTED: "rejectSubmission",
  CANCELLED: "cancelSubmission",
} as const;

const mayGive = (verdict: Verdict, actor: Actor, it: JudgedPackage): boolean =>
  may(permissionFor[verdict], actor, standingTo(actor, placeOf(it)));

/** Whether at least one verdict by this person would be taken. */
export const canSettle = (actor: Actor, it: JudgedPackage): boolean =>
  it.submission_state === "WAITING" &&
  !it.deleted &&
  (["ACCEPTED", "REJECTED", "CANCELLED"] as const).some((verdict) => mayGive(verdict, actor, it));

/** Refuses who may not bring the state about. Authority comes before state: a stranger must not learn what became of it. */
export function checkAuthority(asked: SubmissionState, actor: Actor, it: JudgedPackage): void {
  const unchanged = asked === it.submission_state;
  const allowed = (unchanged && mayEdit(actor, it)) || (asked !== "WAITING" && mayGive(asked, actor, it));
  if (!allowed) throw new Refusal("user.not.authorized");
}

/** Only a waiting submission can be settled, while its repository and its package are there. */
export function checkWaiting(it: JudgedPackage): void {
  if (it.submission_state !== "WAITING") throw malformedPatch("could.not.change.submission");
  if (it.deleted) throw new Refusal("editing.deleted.resource.not.possible");
}
