import type { Decision } from "@packhouse/contract/submissions";
import type { Actor } from "../../http/actor.ts";
import { change } from "../../platform/event-log/record-event.ts";
import type { Notices } from "../mail/notices.ts";
import type { RepositoryEvent, RepositoryUnit } from "../unit-of-work/repository-unit.ts";
import { mayEdit } from "./package.ts";
import type { Package, PackageCore } from "./package-columns-store.ts";
import { packages } from "./store.ts";

interface EndedReviews {
  decision: Decision;
  reason?: string | undefined;
  notices: Notices;
}

interface EndedReview {
  /** The package as it waited. */
  before: PackageCore;
  /** Required checks that had not passed. */
  passedOver?: readonly string[] | undefined;
  /** The package that the accepted one replaces. */
  replaced?: Package | undefined;
}

/**
 * Ends the wait of packages: writes the decision about their submissions, with its events, and notices for users. Accepted
 * packages become active.
 */
export async function recordDecision(
  { tx, at, record }: RepositoryUnit,
  actor: Actor,
  ended: readonly EndedReview[],
  { decision, reason = "", notices }: EndedReviews,
): Promise<void> {
  const waits = ended.map(({ before, passedOver = [] }) => ({
    packageId: before.id,
    submissionId: before.submission_id,
    passedOver,
  }));
  const notify = async () => {
    for (const { before } of ended) {
      const ownAuthority = mayEdit(actor, before);
      await notices.submissionDecided(tx, { id: before.submission_id, decision, ownAuthority });
    }
  };
  const eventOf = ({ before, passedOver = [], replaced }: EndedReview): RepositoryEvent => ({
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
  const decided = packages(tx).decide(waits, { state: decision, approverId: actor.id, reason, at });
  record(...ended.map(eventOf));
  await Promise.all([decided, notify()]);
}

const verbs: Record<Decision, string> = { ACCEPTED: "accepted", REJECTED: "rejected", CANCELLED: "canceled" };
