import { Unavailable } from "../../errors/refusal.ts";

/** The last change in the queue of each repository. */
const queues = new Map<number, Promise<unknown>>();

/** A purge of a large repository takes long; after this, the client is asked to try again. */
const longestWaitMs = 60_000;

/**
 * Runs the changes that this process makes to a repository one after the other. The database would let them wait as well,
 * but each would occupy a connection, and waiting for a row costs the database more than the change itself. The change can
 * ask whether others wait for it.
 */
export async function inTurn<T>(repositoryId: number, change: (othersWait: () => boolean) => Promise<T>): Promise<T> {
  const othersWait = () => queues.get(repositoryId) !== mine;
  const before = queues.get(repositoryId);
  const mine: Promise<T> = (before ? endOf(before) : Promise.resolve()).then(() => change(othersWait));
  queues.set(repositoryId, mine);
  try {
    return await mine;
  } finally {
    if (queues.get(repositoryId) === mine) queues.delete(repositoryId);
  }
}

/** Few enough that the first of them does not wait much longer than it would alone. */
const mostInOneTurn = 8;

interface SharedTurns<Change, End> {
  /** Resolves when the change has had its turn. */
  add(repositoryId: number, change: Change): Promise<End>;
  /** How many changes of a repository are gathered for its next turn. */
  gathered(repositoryId: number): number;
}

/**
 * Gathers changes of a repository while they wait, and has each turn run those that it finds. `run` returns how each of
 * them ended, in their order.
 */
export function sharedTurns<Change, End>(
  run: (repositoryId: number, changes: readonly Change[]) => Promise<readonly End[]>,
): SharedTurns<Change, End> {
  const gathering = new Map<number, { changes: Change[]; ends: Promise<readonly End[]> }>();

  const begin = (repositoryId: number) => {
    const changes: Change[] = [];
    const ends = inTurn(repositoryId, () => {
      if (gathering.get(repositoryId)?.changes === changes) gathering.delete(repositoryId);
      return run(repositoryId, changes);
    });
    const turn = { changes, ends };
    gathering.set(repositoryId, turn);
    return turn;
  };
  return {
    async add(repositoryId, change) {
      const { changes, ends } = gathering.get(repositoryId) ?? begin(repositoryId);
      const place = changes.push(change) - 1;
      if (changes.length === mostInOneTurn) gathering.delete(repositoryId);
      const end = (await ends)[place];
      if (end === undefined) throw new Error("A change was left out of its turn.");
      return end;
    },
    gathered: (repositoryId) => gathering.get(repositoryId)?.changes.length ?? 0,
  };
}

/** However it ends. */
async function endOf(change: Promise<unknown>): Promise<void> {
  if (!(await endsWithin(change, longestWaitMs))) throw new Unavailable("repository");
}

/** Waits until no change of a repository is in the queue of this process, or until the time is over. */
export async function whenQuiet(repositoryId: number, mostMs: number): Promise<void> {
  const deadline = performance.now() + mostMs;
  for (let last = queues.get(repositoryId); last; last = queues.get(repositoryId)) {
    const left = deadline - performance.now();
    if (left <= 0 || !(await endsWithin(last, left))) return;
  }
}

async function endsWithin(change: Promise<unknown>, ms: number): Promise<boolean> {
  const late = Promise.withResolvers<false>();
  const timer = setTimeout(() => late.resolve(false), ms);
  try {
    return await Promise.race([
      change.then(
        () => true,
        () => true,
      ),
      late.promise,
    ]);
  } finally {
    clearTimeout(timer);
  }
}
