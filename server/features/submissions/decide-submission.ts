import type { Decision } from "@packhouse/contract/submissions";
import type { Actor } from "../../http/actor.ts";
import { actorNow } from "../../identity/sign-in/authenticate.ts";
import { invalid, Refusal } from "../../platform/errors/refusal.ts";
import type { Deps } from "../deps.ts";
import { checkNewName } from "../packages/new-name.ts";
import type { Package } from "../packages/package-columns-store.ts";
import { recordPurge } from "../packages/purge-package.ts";
import { recordDecision } from "../packages/record-decision.ts";
import { packages } from "../packages/store.ts";
import { changeRepository, type RepositoryUnit } from "../unit-of-work/change-repository.ts";
import { missingChecks } from "./required-checks-store.ts";
import { type Submission, type SubmissionCore, submissions } from "./store.ts";
import { checkAuthority, checkWaiting } from "./submission.ts";

/** A decision as it is asked for; the reason is Markdown and may be empty. */
interface AskedDecision {
  decision: Decision;
  reason?: string | undefined;
}

/** Accepts, rejects or cancels a waiting submission. Of two concurrent decisions, the second one is refused. */
export async function decideSubmission(
  deps: Deps,
  actor: Actor,
  id: number,
  asked: AskedDecision,
): Promise<Submission> {
  const repositoryId = await submissions(deps.db).repositoryOf(id);
  if (repositoryId === undefined) throw new Refusal("submission.notfound");
  const decide = async (unit: RepositoryUnit) =>
    // It may have waited for the repository.
    decideWithin(deps, unit, { actor: await actorNow({ ...deps, db: unit.tx }, actor), id, ...asked });
  await changeRepository(deps, repositoryId, decide, { missing: "submission.notfound" });
  const row = await submissions(deps.db).byId(id);
  if (!row) throw new Refusal("submission.notfound");
  return row;
}

interface PartOfChange {
  actor: Actor;
  id: number;
  /** Required checks that had not passed before the change decided on the first file of the release. */
  missing?: readonly string[];
  /** The submission as this change has locked it. */
  before?: SubmissionCore;
}

/**
 * The same as part of a larger change of the repository, such as a decision on all files of a release. All refusals come
 * before the first write, because a decision on many submissions keeps the transaction after one of them is refused.
 */
export async function decideWithin(
  deps: Deps,
  unit: RepositoryUnit,
  { actor, id, decision, reason = "", missing, before: known }: AskedDecision & PartOfChange,
): Promise<void> {
  const { tx } = unit;
  const before = known ?? (await submissions(tx).locked(id));
  if (!before) throw new Refusal("submission.notfound");
  checkAuthority(decision, actor, before);
  checkWaiting(before);
  const passedOver = decision === "ACCEPTED" ? (missing ?? (await missingChecks(tx, id))) : [];
  if (passedOver.length > 0 && reason.trim() === "") throw invalid(["submission.reason.required"]);
  if (decision === "ACCEPTED") await checkNewName(packages(tx), before.repository_id, before.normalized_name);

  const replaced = decision === "ACCEPTED" ? await accept(deps, unit, actor, before) : undefined;
  if (decision !== "ACCEPTED") await packages(tx).discard(before.id);
  await recordDecision(unit, actor, before, { decision, reason, passedOver, replaced, notices: deps.notices });
}

/** Activates the package; one that it replaces is purged in the same transaction, and returned. */
async function accept(
  deps: Deps,
  unit: RepositoryUnit,
  actor: Actor,
  before: SubmissionCore,
): Promise<Package | undefined> {
  const { tx, repository } = unit;
  const replaced = before.replaces_id === null ? undefined : await packages(tx).byId(before.replaces_id);
  if (replaced) {
    await recordPurge(unit, actor, replaced, "PACKAGE");
    await packages(tx).purge(replaced.id);
  }
  await packages(tx).accept(before.id);
  await deps.inspections.requestOfName(tx, before.id);
  await unit.raiseVersion();
  if (before.manual_wanted) await deps.manuals.request(tx, before.id);
  if (repository.published) await unit.publish([before.normalized_name]);
  return replaced;
}
