import type { MessageCode } from "@packhouse/contract/messages";
import type { SubmissionDecisions } from "@packhouse/contract/submissions";
import type { Actor } from "../../http/actor.ts";
import { refusalOf } from "../../http/application.ts";
import { mayReadRepository } from "../../identity/read-rights.ts";
import { actorNow } from "../../identity/sign-in/authenticate.ts";
import { invalid, Refusal } from "../../platform/errors/refusal.ts";
import { lookOf } from "../../platform/names/lookalikes.ts";
import type { Deps } from "../deps.ts";
import { lookalikeAmong, refuseLookalike } from "../packages/new-name.ts";
import { isWaiting } from "../packages/package.ts";
import { packages } from "../packages/store.ts";
import { changeRepository } from "../unit-of-work/change-repository.ts";
import type { RepositoryUnit } from "../unit-of-work/repository-unit.ts";
import { checkDecision, checkReason, decideWithin, writeDecisions } from "./decide-submission.ts";
import { missingChecksOf } from "./missing-checks.ts";
import { type SubmissionCore, submissions } from "./store.ts";
import { reviewText } from "./submission.ts";

/** A repository is locked for so many decisions at a time. */
const mostAtOnce = 200;

/** The result for one submission. */
interface Decided {
  id: number;
  done: boolean;
  code: MessageCode;
  reasons: string[];
}

interface AskedDecisions {
  actor: Actor;
  decision: SubmissionDecisions["decision"];
  reason: string;
}

/**
 * Decides on many submissions. Each is decided or refused on its own, as if it had been asked for alone; those of one
 * repository share transactions, and clients see them together.
 */
export async function decideSubmissions(
  deps: Deps,
  actor: Actor,
  { decision, reason, submissions: ids }: SubmissionDecisions,
): Promise<Decided[]> {
  const asked = { actor, decision, reason: reviewText(reason ?? "") };
  const results = new Map(ids.map((id) => [id, refused(id, new Refusal("submission.notfound"))]));
  const repositories = await submissions(deps.db).repositoriesOf([...results.keys()]);
  const batches = [...Map.groupBy(repositories, (row) => row.repositoryId)].flatMap(([repositoryId, its]) =>
    Array.from({ length: Math.ceil(its.length / mostAtOnce) }, (_, batch) => ({
      repositoryId,
      some: its.slice(batch * mostAtOnce, (batch + 1) * mostAtOnce).map((row) => row.id),
    })),
  );
  for (const [index, { repositoryId, some }] of batches.entries()) {
    const decide = (unit: RepositoryUnit) => decideTogether(deps, unit, some, asked);
    try {
      // A copy that fails elsewhere does not undo a decision.
      const decided = await changeRepository(deps, repositoryId, decide, { whenNotCopied: (done) => done });
      for (const result of decided) results.set(result.id, result);
    } catch (error) {
      if (index === 0) throw error;
      // What was decided before stays decided, and the caller has to know.
      deps.log.error({ err: error, repository: repositoryId }, "the rest of many decisions failed");
      const failure = refusalOf(error) ?? new Refusal("internal.error");
      for (const id of batches.slice(index).flatMap((batch) => batch.some)) results.set(id, refused(id, failure));
      break;
    }
  }
  return [...results.values()];
}

async function decideTogether(
  deps: Deps,
  unit: RepositoryUnit,
  ids: readonly number[],
  { decision, reason, ...asked }: AskedDecisions,
): Promise<Decided[]> {
  const { tx } = unit;
  const actor = await actorNow({ ...deps, db: tx }, asked.actor);
  const known = await submissions(tx).lockedAll(ids);
  const accepts = decision === "ACCEPTED";
  const missing = accepts ? await missingChecksOf(unit, ids) : new Map<number, string[]>();
  const names = accepts ? await newNames(unit, [...known.values()]) : undefined;
  const waiting = [...known.values()].filter(isWaiting);
  const replaced = new Set(accepts ? waiting.map((it) => it.replaces_id) : []);
  const results: Decided[] = [];
  const attempt = async (
    id: number,
    decide: (before: SubmissionCore, passedOver: string[]) => Promise<void> | void,
  ) => {
    const before = known.get(id);
    try {
      if (!before || !mayReadRepository(actor, before.repository)) throw new Refusal("submission.notfound");
      if (replaced.has(before.id)) throw invalid(["review.replaced.in.decision"]);
      await decide(before, missing.get(id) ?? []);
      results.push({ id, done: true, code: "success.request.processed", reasons: [] });
    } catch (error) {
      // Refusals come before anything is written.
      if (!(error instanceof Refusal)) throw error;
      results.push(refused(id, error));
    }
  };

  // A package that is replaced is gone, and others may have been about it: from there on one after the other.
  const firstReplacement = ids.findIndex((id) => (known.get(id)?.replaces_id ?? null) !== null);
  const together = firstReplacement < 0 ? ids : ids.slice(0, firstReplacement);
  const checked: { before: SubmissionCore; passedOver: string[] }[] = [];
  for (const id of together)
    await attempt(id, (before, passedOver) => {
      checkDecision(actor, before, decision);
      checkReason(reason, passedOver);
      names?.take(before);
      checked.push({ before, passedOver });
    });
  if (checked.length > 0) await writeDecisions(deps, unit, checked, { actor, decision, reason });
  for (const id of ids.slice(together.length))
    await attempt(id, ({ normalized_name: normalizedName }, missing) =>
      decideWithin(deps, unit, { actor, id, normalizedName, decision, reason, missing }),
    );
  return results;
}

/** Refuses names that look like accepted ones, also like those that were taken here before them. */
async function newNames({ tx, repository }: RepositoryUnit, waiting: readonly SubmissionCore[]) {
  const accepted = await packages(tx).acceptedLike(
    repository.id,
    waiting.map((it) => it.normalized_name),
  );
  const byLook = Map.groupBy(accepted, (it) => lookOf(it.normalizedName));
  return {
    take({ name, normalized_name: normalizedName, mirror }: SubmissionCore): void {
      const look = lookOf(normalizedName);
      const alike = byLook.get(look) ?? [];
      refuseLookalike(normalizedName, lookalikeAmong(alike, normalizedName));
      byLook.set(look, [...alike, { name, normalizedName, mirror }]);
    },
  };
}

function refused(id: number, { code, data }: Refusal): Decided {
  const reasons = Array.isArray(data) ? data.map(String) : typeof data === "string" ? [data] : [];
  return { id, done: false, code, reasons };
}
