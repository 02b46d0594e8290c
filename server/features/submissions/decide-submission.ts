import type { Decision } from "@packhouse/contract/submissions";
import type { Actor } from "../../http/actor.ts";
import type { Tx } from "../../platform/db/database.ts";
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
  const about = { id, normalizedName, decision: asked.decision };
  const read = (tx: Tx) => Promise.all([callerWithin(deps, tx, actor), knownOf(tx, repositoryId, about)]);
  const write = (unit: RepositoryUnit, [caller, known]: Awaited<ReturnType<typeof read>>) =>
    decideKnown(deps, unit, known, { ...about, ...asked, actor: caller, whenSent: unit.letNextBegin });
  await changeTogether(deps, repositoryId, { read, write }, { missing: "submission.notfound" });
  const row = await submissions(deps.db).byId(id);
  if (!row) throw new Refusal("submission.notfound");
  return row;
}

/** What is decided on. */
interface Decidable {
  id: number;
  /** Of its package, which does not change. */
  normalizedName: string;
}

interface PartOfChange extends Decidable {
  actor: Actor;
  /** Required checks that had not passed before the change decided on the first file of the release. */
  missing?: readonly string[];
}

interface SentDecision {
  /** Called once the statements are sent that other changes, and the render, depend on; of an acceptance. */
  whenSent?: () => void;
}

type Known = Awaited<ReturnType<typeof knownOf>>;

/** What matters for a decision, in a locked repository. */
async function knownOf(
  tx: Tx,
  repositoryId: number,
  { id, normalizedName, decision }: Decidable & Pick<AskedDecision, "decision">,
) {
  const [before, like] = await Promise.all([
    submissions(tx).locked(id),
    decision === "ACCEPTED" ? packages(tx).lookalikeOf(repositoryId, normalizedName) : undefined,
  ]);
  return { before, like };
}

/**
 * The same as part of a larger change of the repository, such as a decision on all files of a release. All refusals come
 * before the first write, because a decision on many submissions keeps the transaction after one of them is refused.
 */
export const decideWithin = async (
  deps: Deps,
  unit: RepositoryUnit,
  asked: AskedDecision & PartOfChange,
): Promise<void> => decideKnown(deps, unit, await knownOf(unit.tx, unit.repository.id, asked), asked);

async function decideKnown(
  deps: Deps,
  unit: RepositoryUnit,
  { before, like }: Known,
  { id, normalizedName, missing, ...asked }: AskedDecision & PartOfChange & SentDecision,
): Promise<void> {
  if (!before) throw new Refusal("submission.notfound");
  checkDecision(asked.actor, before, asked.decision);
  const accepts = asked.decision === "ACCEPTED";
  const passedOver = accepts ? (missing ?? (await missingChecksOf(unit, [id])).get(id) ?? []) : [];
  checkReason(asked.reason, passedOver);
  refuseLookalike(normalizedName, like);
  await writeDecisions(deps, unit, [{ before, passedOver }], asked);
}

export function checkDecision(actor: Actor, before: SubmissionCore, decision: Decision): void {
  checkAuthority(decision, actor, before);
  checkWaiting(before);
}

/** Who accepts although required checks have not passed says why. */
export function checkReason(reason: string | undefined, passedOver: readonly string[]): void {
  if (passedOver.length > 0 && !reason?.trim()) throw invalid(["submission.reason.required"]);
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
  { actor, decision, reason = "", whenSent }: AskedDecision & SentDecision & { actor: Actor },
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
  const written = Promise.all([
    deps.inspections.requestOfNames(tx, repository.id, decided),
    ...decided.filter((it) => it.manual_wanted).map(({ id }) => deps.manuals.request(tx, id)),
    recorded(),
  ]);
  whenSent?.();
  await written;
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
