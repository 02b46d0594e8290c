import type { Decision } from "@packhouse/contract/submissions";
import type { Actor } from "../../http/actor.ts";
import { change } from "../../platform/event-log/record-event.ts";
import type { Notices } from "../mail/notices.ts";
import type { RepositoryUnit } from "../unit-of-work/change-repository.ts";
import { mayEdit } from "./package.ts";
import type { Package, PackageCore } from "./package-columns-store.ts";
import { packages } from "./store.ts";

interface EndedReview {
  decision: Decision;
  reason?: string | undefined;
  /** Required checks that had not passed. */
  passedOver?: readonly string[] | undefined;
  /** The package that the accepted one replaces. */
  replaced?: Package | undefined;
  notices: Notices;
}

/** Ends the wait of a package: writes the decision about its submission, with its event, and notices for users. */
export async function recordDecision(
  { tx, at, record }: RepositoryUnit,
  actor: Actor,
  before: PackageCore,
  { decision, reason = "", passedOver = [], replaced, notices }: EndedReview,
): Promise<void> {
  await packages(tx).decide(before.submission_id, { state: decision, approverId: actor.id, reason, passedOver, at });
  const ownAuthority = mayEdit(actor, before);
  await notices.submissionDecided(tx, { id: before.submission_id, decision, ownAuthority });
  await record({
    by: actor,
    type: "update",
    resource: "SUBMISSION",
    resourceId: before.submission_id,
    packageId: before.id,
    normalizedName: before.normalized_name,
    changed: [
      ...change("approver", null, actor.id),
      ...(replaced ? change("digest", replaced.digest, before.digest) : []),
      ...change("passedOver", null, passedOver.join(", ")),
      ...change("reason", null, reason),
      ...change("state", "waiting", decision.toLowerCase()),
    ],
    description: `${actor.name} ${verbs[decision]} ${before.name} ${before.version} for ${before.repository.name}.`,
  });
}

const verbs: Record<Decision, string> = { ACCEPTED: "accepted", REJECTED: "rejected", CANCELLED: "canceled" };
