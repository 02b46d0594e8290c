import { may, type PermissionName } from "@packhouse/contract/permissions";
import type { SubmissionState } from "@packhouse/contract/references";
import { type Actor, relationTo } from "../../../http/actor.ts";
import { mayReadRepository } from "../../../identity/read-rights.ts";
import { invalid, Refusal } from "../../../platform/errors/refusal.ts";
import { type PackageStatus, placeOf } from "../../packages/package.ts";
import { reviewText } from "../../submissions/submission.ts";

/** Calls about a review, by what they need. */
export type ReviewPermission = Extract<
  PermissionName,
  "readReview" | "commentOnRelease" | "reportCheck" | "decideOnRelease" | "assignRelease" | "assessRelease"
>;

export const mayReview = (permission: ReviewPermission, actor: Actor, it: PackageStatus): boolean =>
  may(permission, actor, relationTo(actor, placeOf(it)));

/** A submission in a repository that the user cannot read does not exist for them. */
export function checkReview<It extends PackageStatus>(
  it: It | undefined,
  actor: Actor,
  permission: ReviewPermission,
): asserts it is It {
  if (!it || !mayReadRepository(actor, it.repository)) throw new Refusal("submission.notfound");
  if (!mayReview(permission, actor, it)) throw new Refusal("user.not.authorized");
}

/**
 * The files of a release that the user may read. Another user's upload of the same version does not open the review of
 * this one to them, nor this one's to the other.
 */
export const readableFiles = <It extends PackageStatus>(files: readonly It[], actor: Actor): It[] =>
  files.filter((file) => mayReview("readReview", actor, file));

/**
 * What was published and deleted since is not read any more, as little as its archive is downloaded. What was never
 * published stays part of its review.
 */
export const isTakenDown = ({ deleted, state }: { deleted: boolean; state: SubmissionState }): boolean =>
  deleted && state === "ACCEPTED";

/** A text that must not be empty. */
export function requiredText(given: string): string {
  const text = reviewText(given);
  if (text === "") throw invalid(["review.text.empty"]);
  return text;
}
