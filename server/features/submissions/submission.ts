import { may } from "@packhouse/contract/permissions";
import type { SubmissionState } from "@packhouse/contract/references";
import type { Decision } from "@packhouse/contract/submissions";
import { type Actor, relationTo } from "../../http/actor.ts";
import { malformedPatch, Refusal } from "../../platform/errors/refusal.ts";
import { mayEdit, type PackageStatus, placeOf } from "../packages/package.ts";

const permissionFor = {
  ACCEPTED: "acceptSubmission",
  REJECTED: "rejectSubmission",
  CANCELLED: "cancelSubmission",
} as const;

const mayDecide = (decision: Decision, actor: Actor, it: PackageStatus): boolean =>
  may(permissionFor[decision], actor, relationTo(actor, placeOf(it)));

/** Whether this user may still decide about the submission. */
export const canDecide = (actor: Actor, it: PackageStatus): boolean =>
  it.submission_state === "WAITING" &&
  !it.deleted &&
  (["ACCEPTED", "REJECTED", "CANCELLED"] as const).some((decision) => mayDecide(decision, actor, it));

/** Refuses users who may not set the state. Checked before the state itself: a stranger must not learn the outcome. */
export function checkAuthority(asked: SubmissionState, actor: Actor, it: PackageStatus): void {
  const unchanged = asked === it.submission_state;
  const allowed = unchanged ? mayEdit(actor, it) : asked !== "WAITING" && mayDecide(asked, actor, it);
  if (!allowed) throw new Refusal("user.not.authorized");
}

/** Only a waiting submission can be decided, while its repository and its package exist. */
export function checkWaiting(it: PackageStatus): void {
  if (it.submission_state !== "WAITING") throw malformedPatch("could.not.change.submission");
  if (it.deleted) throw new Refusal("editing.deleted.resource.not.possible");
}
