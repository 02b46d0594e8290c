import { unavailable } from "../../platform/errors/refusal.ts";

/** The last change in the queue of each repository. */
const queues = new Map<number, Promise<unknown>>();

/** A purge of a large repository takes long; after this, the client is asked to try again. */
const longestWaitMs = 60_000;

/**
 * Runs the changes that this process makes to a repository one after the other. The database would let them wait as well,
 * but each would occupy a connection, and waiting for a row costs the database more than the change itself.
 */
export async function inTurn<T>(repositoryId: number, change: () => Promise<T>): Promise<T> {
  const before = queues.get(repositoryId);
  const mine = before ? endOf(before).then(change) : change();
  queues.set(repositoryId, mine);
  try {
    return await mine;
  } finally {
    if (queues.get(repositoryId) === mine) queues.delete(repositoryId);
  }
}

/** However it ends. */
async function endOf(change: Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(() => late.reject(unavailable()), longestWaitMs);
  const ignored = () => {};
  try {
    await Promise.race([change.then(ignored, ignored), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
