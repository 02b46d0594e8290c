import type { MessageCode } from "@packhouse/contract/messages";
import type { SubmissionDecisions } from "@packhouse/contract/submissions";
import type { Actor } from "../../http/actor.ts";
import { refusalOf } from "../../http/application.ts";
import { mayReadRepository } from "../../identity/read-rights.ts";
import { actorNow } from "../../identity/sign-in/authenticate.ts";
import { Refusal } from "../../platform/errors/refusal.ts";
import type { Deps } from "../deps.ts";
import { changeRepository, type RepositoryUnit } from "../unit-of-work/change-repository.ts";
import { decideWithin } from "./decide-submission.ts";
import { missingChecksOf } from "./required-checks-store.ts";
import { submissions } from "./store.ts";
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
  const missing = decision === "ACCEPTED" ? await missingChecksOf(tx, ids) : new Map<number, string[]>();
  let isKnown = true;
  const changed = new Set<string>();
  // One version and one render for all of them.
  const shared: RepositoryUnit = {
    ...unit,
    raiseVersion: async () => {},
    publish: async (names) => {
      for (const name of names) changed.add(name);
    },
  };
  const results: Decided[] = [];
  for (const id of ids) {
    const before = known.get(id);
    try {
      if (!before || !mayReadRepository(actor, before.repository)) throw new Refusal("submission.notfound");
      const its = { actor, id, decision, reason, missing: missing.get(id) ?? [] };
      await decideWithin(deps, shared, isKnown ? { ...its, before } : its);
      // A package that was replaced is gone, and others may have been about it.
      if (before.replaces_id !== null) isKnown = false;
      results.push({ id, done: true, code: "success.request.processed", reasons: [] });
    } catch (error) {
      // Refusals come before anything is written.
      if (!(error instanceof Refusal)) throw error;
      results.push(refused(id, error));
    }
  }
  if (results.some(({ done }) => done)) await unit.raiseVersion();
  if (changed.size > 0) await unit.publish([...changed]);
  return results;
}

function refused(id: number, { code, data }: Refusal): Decided {
  const reasons = Array.isArray(data) ? data.map(String) : typeof data === "string" ? [data] : [];
  return { id, done: false, code, reasons };
}
