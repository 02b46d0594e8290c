import { mostChangeRequests, type ReleaseDecision } from "@packhouse/contract/review/conversation";
import type { Actor } from "../../http/actor.ts";
import { actorNow } from "../../identity/sign-in/authenticate.ts";
import { invalid } from "../../platform/errors/refusal.ts";
import { change } from "../../platform/event-log/record-event.ts";
import type { Deps } from "../deps.ts";
import { decideWithin } from "../submissions/decide-submission.ts";
import { missingChecks } from "../submissions/required-checks-store.ts";
import { checkWaiting, reviewText } from "../submissions/submission.ts";
import { changeRepository } from "../unit-of-work/change-repository.ts";
import type { RepositoryUnit } from "../unit-of-work/repository-unit.ts";
import { desk } from "./conversation/desk-store.ts";
import { checkReview, readableFiles } from "./reviewed/check-review.ts";
import { type ReviewedSubmission, reviewed } from "./reviewed/reviewed-store.ts";

/**
 * Accepts or rejects all waiting files of a release, or those that are named, or asks for changes: all of it in one
 * transaction, and nothing if one of them cannot be decided. Of two files that want the same place, all accepted means
 * the one that replaces the other. Returns a submission whose review shows the decision, which is the given one unless
 * it was replaced.
 */
export async function decideRelease(deps: Deps, asking: Actor, id: number, asked: ReleaseDecision): Promise<number> {
  const known = await reviewed(deps.db).byId(id);
  checkReview(known, asking, "decideOnRelease");
  const reason = reviewText(asked.reason ?? "");

  const decide = async (unit: RepositoryUnit) => {
    const { submission, files } = await reviewed(unit.tx).locked(id);
    // It may have waited for the repository.
    const actor = await actorNow({ ...deps, db: unit.tx }, asking);
    checkReview(submission, actor, "decideOnRelease");
    checkWaiting(submission);
    const waiting = readableFiles(files, actor);
    const ids = waiting.map((file) => file.id);
    const accepts = asked.decision === "ACCEPTED";
    const replaced = accepts ? replacedAmong(waiting) : [];
    const chosen = new Set(asked.files ?? ids.filter((file) => !replaced.includes(file)));
    if (![...chosen].every((file) => ids.includes(file))) throw invalid(["review.not.in.release"]);
    if (accepts && replacedAmong(waiting.filter((file) => chosen.has(file.id))).length > 0)
      throw invalid(["review.replaced.in.decision"]);
    const missing = accepts ? await missingChecks(unit.tx, id) : [];
    for (const file of waiting) {
      if (!chosen.has(file.id)) continue;
      if (asked.decision === "CHANGES") await askForChanges(deps, unit, { actor, file, reason });
      else {
        const { id, normalized_name: normalizedName } = file;
        await decideWithin(deps, unit, { actor, id, normalizedName, decision: asked.decision, reason, missing });
      }
    }
    const isReplaced = waiting.some((file) => chosen.has(file.id) && file.replaces_id === submission.package_id);
    return accepts && isReplaced ? Math.min(...chosen) : id;
  };
  return changeRepository(deps, known.repository_id, decide, { missing: "submission.notfound" });
}

/** The submissions whose packages others among them replace. */
function replacedAmong(files: readonly ReviewedSubmission[]): number[] {
  const replaced = new Set(files.map((file) => file.replaces_id));
  return files.filter((file) => replaced.has(file.package_id)).map((file) => file.id);
}

/** The file stays waiting, for its submitter; a new upload of the same version answers. */
async function askForChanges(
  { notices }: Pick<Deps, "notices">,
  { tx, at, record }: RepositoryUnit,
  { actor, file, reason }: { actor: Actor; file: ReviewedSubmission; reason: string },
): Promise<void> {
  const { id } = file;
  checkReview(file, actor, "decideOnRelease");
  checkWaiting(file);
  if ((await desk(tx).changeRequests(id)) >= mostChangeRequests) throw invalid(["too.many.change.requests"]);
  await desk(tx).askForChanges({ submissionId: id, userId: actor.id, reason, at });
  await notices.changesAsked(tx, id);
  record({
    by: actor,
    type: "update",
    resource: "SUBMISSION",
    resourceId: id,
    packageId: file.package_id,
    normalizedName: file.normalized_name,
    changed: [{ property: "changesAsked", valueBefore: "", valueAfter: "true" }, ...change("reason", null, reason)],
    description: `${actor.name} asked for changes to ${file.name} ${file.version} in ${file.repository.name}.`,
  });
}
