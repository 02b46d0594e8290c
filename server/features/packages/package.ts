import { may } from "@packhouse/contract/permissions";
import type { SubmissionState } from "@packhouse/contract/references";
import { type Actor, type Placed, relationTo } from "../../http/actor.ts";
import { mayReadRepository } from "../../identity/read-rights.ts";

/** The properties of a package that decide who may do what with it. */
export interface PackageStatus {
  repository_id: number;
  normalized_name: string;
  responsible_user_id: number;
  submitter_id: number;
  submission_state: SubmissionState;
  deleted: boolean;
  /** Whether it could be restored: its repository exists, its identity is free. */
  restorable: boolean;
  repository: { id: number; name: string };
}

export const placeOf = (it: PackageStatus): Placed => ({
  repositoryId: it.repository_id,
  normalizedName: it.normalized_name,
  responsibleId: it.responsible_user_id,
  submitterId: it.submitter_id,
});

export const editsPackage = (actor: Actor, place: Placed): boolean =>
  may("editPackage", actor, relationTo(actor, place));

export const mayEdit = (actor: Actor, it: PackageStatus): boolean => editsPackage(actor, placeOf(it));

/** Deleted packages are visible to administrators only, others to everyone who may read their repository. */
export const isVisible = (actor: Actor, it: PackageStatus): boolean =>
  (!it.deleted || may("seeDeleted", actor)) && mayReadRepository(actor, it.repository);

/** Only accepted packages can be activated, deactivated and restored. */
export const isAccepted = (it: PackageStatus): boolean => it.submission_state === "ACCEPTED";

/** Whether no one has decided about it yet. */
export const isWaiting = (it: PackageStatus): boolean => it.submission_state === "WAITING";

/** The archive of a waiting package is for its submitter and for users who may decide. */
export const mayRead = (actor: Actor, it: PackageStatus): boolean =>
  !isWaiting(it) || may("readWaitingPackage", actor, relationTo(actor, placeOf(it)));

/** Whether at least one patch by this user can succeed; of a waiting package, only its deletion. */
export const canPatch = (actor: Actor, it: PackageStatus): boolean =>
  it.deleted ? isAccepted(it) && it.restorable && may("seeDeleted", actor) : mayEdit(actor, it);

/** A live package can be deleted, a deleted one purged. */
export const canDelete = (actor: Actor, it: PackageStatus): boolean =>
  it.deleted ? may("purgePackage", actor) : mayEdit(actor, it);
