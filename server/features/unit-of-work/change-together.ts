import { AsyncLocalStorage } from "node:async_hooks";
import { keepsNothing } from "../../platform/db/database.ts";
import { sharedTurns } from "../../platform/db/transactions/repository-turns.ts";
import { Refusal } from "../../platform/errors/refusal.ts";
import { holdQuotasOf } from "../../platform/limits/waiting-quotas.ts";
import { type ChangeOfOne, inTransaction, type RepositoryUnits, refuse } from "./change-repository.ts";
import type { RepositoryUnit, UnitDeps } from "./repository-unit.ts";

interface ChangeTogether<T> extends Omit<ChangeOfOne<T>, "publication"> {
  /** The user whose quotas the change counts; they are locked before the repository. */
  quotasOf?: number | undefined;
}

/**
 * As `changeRepository`, for changes of which many come at once: those that wait for the same repository share a
 * transaction, its render and its commit. If one of them fails, each has a transaction of its own instead, so `change`
 * may be called twice.
 */
export async function changeTogether<T>(
  deps: UnitDeps,
  repositoryId: number,
  change: (unit: RepositoryUnit) => Promise<T>,
  { missing = "repository.notfound", quotasOf, whenNotCopied = refuse }: ChangeTogether<T> = {},
): Promise<T> {
  let result: { value: T } | undefined;
  // Whose turn it is makes the changes of others, too; their traces stay theirs.
  const inOwnContext = AsyncLocalStorage.snapshot();
  const write = async (unit: RepositoryUnit | undefined) => {
    if (!unit) throw new Refusal(missing);
    result = { value: await inOwnContext(change, unit) };
  };
  const end = await turnsOf(deps).add(repositoryId, { quotasOf, write });
  if ("failure" in end) throw end.failure;
  const outcome = await end.whenServed();
  if (!result) throw new Error("A change has ended before it was made.");
  return outcome === "failed" ? whenNotCopied(result.value) : result.value;
}

/** How many changes of a repository will share its next transaction. */
export const gatheredChanges = (deps: UnitDeps, repositoryId: number): number => turnsOf(deps).gathered(repositoryId);

interface WaitingChange {
  quotasOf: number | undefined;
  write(unit: RepositoryUnit | undefined): Promise<void>;
}

type ChangeEnd = { whenServed: () => Promise<"served" | "failed"> } | { failure: unknown };

/** Of each server: tests have several in one process, whose repositories have the same ids. */
const turns = new WeakMap<UnitDeps["publication"], ReturnType<typeof sharedTurns<WaitingChange, ChangeEnd>>>();

function turnsOf(deps: UnitDeps) {
  const known = turns.get(deps.publication);
  if (known) return known;
  const added = sharedTurns<WaitingChange, ChangeEnd>((repositoryId, changes) => writeAll(deps, repositoryId, changes));
  turns.set(deps.publication, added);
  return added;
}

async function writeAll(
  deps: UnitDeps,
  repositoryId: number,
  changes: readonly WaitingChange[],
): Promise<readonly ChangeEnd[]> {
  let commits = false;
  const committing = () => {
    commits = true;
  };
  const write = async (some: readonly WaitingChange[]): Promise<ChangeEnd> => {
    const users = [...new Set(some.flatMap(({ quotasOf }) => quotasOf ?? []))];
    const writeSome = async ({ tx, lock }: RepositoryUnits) => {
      const [, unit] = await Promise.all([users.length > 0 && holdQuotasOf(tx, users), lock(repositoryId)]);
      await oneAfterAnother(some, (change, letNextBegin) => change.write(unit?.ofAnother(letNextBegin)));
    };
    try {
      // Even while others wait: their turn will have changes of its own to render.
      const mayRender = () => true;
      const { whenServed } = await inTransaction(deps, writeSome, { publication: "awaited", mayRender, committing });
      let served: ReturnType<typeof whenServed> | undefined;
      return { whenServed: () => (served ??= whenServed()) };
    } catch (failure) {
      return { failure };
    }
  };

  const end = await write(changes);
  const failed = "failure" in end;
  // Of a commit without an answer, nobody knows whether it was made.
  const mayBeKept = failed && commits && !keepsNothing(end.failure);
  if (!failed || mayBeKept || changes.length === 1) return changes.map(() => end);
  const ends: ChangeEnd[] = [];
  for (const change of changes) ends.push(await write([change]));
  return ends;
}

/**
 * Begins each change once the one before has ended or lets it begin. PostgreSQL executes statements in the order in
 * which they are sent, so each sees those of all before it. If one fails, those that have begun end first.
 */
async function oneAfterAnother(
  changes: readonly WaitingChange[],
  make: (change: WaitingChange, letNextBegin: () => void) => Promise<void>,
): Promise<void> {
  const begun: Promise<void>[] = [];
  try {
    for (const change of changes) {
      const next = Promise.withResolvers<void>();
      const made = make(change, next.resolve);
      begun.push(made);
      await Promise.race([made, next.promise]);
    }
  } finally {
    await Promise.allSettled(begun);
  }
  await Promise.all(begun);
}
