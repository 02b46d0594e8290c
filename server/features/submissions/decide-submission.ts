import type { Decision } from "@packhouse/contract/submissions";
import type { Actor } from "../../http/actor.ts";
import { invalid, Refusal } from "../../platform/errors/refusal.ts";
import type { Deps } from "../deps.ts";
import { refuseLookalike } from "../packages/new-name.ts";
import type { Package } from "../packages/package-columns-store.ts";
import { recordPurge } from "../packages/purge-package.ts";
import { recordDecision } from "../packages/record-decision.ts";
import { packages } from "../packages/store.ts";
import { callerWithin } from "../unit-of-work/caller-within.ts";
import { changeTogether } from "../unit-of-work/change-together.ts";
import type { RepositoryUnit } from "../unit-of-work/repository-unit.ts";
import { missingChecksOf } from "./missing-checks.ts";
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
  { id, repositoryId, normalizedName }: { id: number; repositoryId: number; normalizedName: string },
  asked: AskedDecision,
): Promise<Submission> {
  const decide = (unit: RepositoryUnit) =>
    decideWithin(deps, unit, { actor: callerWithin(deps, unit, actor), id, normalizedName, ...asked });
  await changeTogether(deps, repositoryId, decide, { missing: "submission.notfound" });
  const row = await submissions(deps.db).byId(id);
  if (!row) throw new Refusal("submission.notfound");
  return row;
}

interface PartOfChange {
  actor: Actor | Promise<Actor>;
  id: number;
  /** Of its package, which does not change. */
  normalizedName: string;
  /** Required checks that had not passed before the change decided on the first file of the release. */
  missing?: readonly string[];
}

/**
 * The same as part of a larger change of the repository, such as a decision on all files of a release. All refusals come
 * before the first write, because a decision on many submissions keeps the transaction after one of them is refused.
 */
export async function decideWithin(
  deps: Deps,
  unit: RepositoryUnit,
  { id, normalizedName, decision, reason = "", missing, ...asked }: AskedDecision & PartOfChange,
): Promise<void> {
  const { tx, repository } = unit;
  const accepts = decision === "ACCEPTED";
  const [actor, before, like] = await Promise.all([
    asked.actor,
    submissions(tx).locked(id),
    accepts ? packages(tx).lookalikeOf(repository.id, normalizedName) : undefined,
  ]);
  if (!before) throw new Refusal("submission.notfound");
  checkDecision(actor, before, decision);
  const passedOver = accepts ? (missing ?? (await missingChecksOf(unit, [id])).get(id) ?? []) : [];
  checkReason(reason, passedOver);
  refuseLookalike(normalizedName, like);
  await writeDecisions(deps, unit, [{ before, passedOver }], { actor, decision, reason });
}

export function checkDecision(actor: Actor, before: SubmissionCore, decision: Decision): void {
  checkAuthority(decision, actor, before);
  checkWaiting(before);
}

/** Who accepts although required checks have not passed says why. */
export function checkReason(reason: string, passedOver: readonly string[]): void {
  if (passedOver.length > 0 && reason.trim() === "") throw invalid(["submission.reason.required"]);
}

interface CheckedDecision {
  /** As this change has locked it. */
  before: SubmissionCore;
  /** Required checks that have not passed. */
  passedOver: readonly string[];
}

/** Writes decisions that were checked: the same statements for one and for many. */
export async function writeDecisions(
  deps: Deps,
  unit: RepositoryUnit,
  checked: readonly CheckedDecision[],
  { actor, decision, reason = "" }: AskedDecision & { actor: Actor },
): Promise<void> {
  const { tx, repository } = unit;
  const decided = checked.map(({ before }) => before);
  const replaced = new Map<number, Package>();
  if (decision === "ACCEPTED") {
    for (const { id, replaces_id: replacedId } of decided) {
      const other = replacedId === null ? undefined : await replace(unit, actor, replacedId);
      if (other) replaced.set(id, other);
    }
  }
  const ended = checked.map((it) => ({ ...it, replaced: replaced.get(it.before.id) }));
  const recorded = () => recordDecision(unit, actor, ended, { decision, reason, notices: deps.notices });
  if (decision !== "ACCEPTED") {
    await Promise.all([packages(tx).discard(decided.map(({ id }) => id)), recorded()]);
    return;
  }
  unit.raiseVersion();
  if (repository.published) unit.publish(decided.map((it) => it.normalized_name));
  await Promise.all([
    deps.inspections.requestOfNames(tx, repository.id, decided),
    ...decided.filter((it) => it.manual_wanted).map(({ id }) => deps.manuals.request(tx, id)),
    recorded(),
  ]);
}

/**
 * The package that an accepted one replaces is purged in the same transaction, and returned; a deleted one, such as a
 * rejected submission, keeps its record.
 */
async function replace(unit: RepositoryUnit, actor: Actor, id: number): Promise<Package | undefined> {
  const replaced = await packages(unit.tx).byId(id);
  if (!replaced || replaced.deleted) return undefined;
  recordPurge(unit, actor, replaced, "PACKAGE");
  await packages(unit.tx).purge(id);
  return replaced;
}
