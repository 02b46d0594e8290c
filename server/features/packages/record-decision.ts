import type { Decision } from "@packhouse/contract/submissions";
import { change } from "../../platform/event-log/record-event.ts";
import type { RepositoryUnit } from "../unit-of-work/change-repository.ts";
import type { Package } from "./package-columns-store.ts";
import { packages } from "./store.ts";

/** Ends the wait of a package: writes the decision about its submission, with its event. */
export async function recordDecision(
  { tx, record }: RepositoryUnit,
  actor: { id: number; name: string },
  before: Package,
  { decision, replaced }: { decision: Decision; replaced?: Package | undefined },
): Promise<void> {
  await packages(tx).decide(before.id, decision, actor.id);
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
      ...change("state", "waiting", decision.toLowerCase()),
    ],
    description: `${actor.name} ${verbs[decision]} ${before.name} ${before.version} for ${before.repository.name}.`,
  });
}

const verbs: Record<Decision, string> = { ACCEPTED: "accepted", REJECTED: "rejected", CANCELLED: "canceled" };
