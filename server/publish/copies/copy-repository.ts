import type { Logger } from "pino";
import type { Clock } from "../../platform/clock.ts";
import type { Db } from "../../platform/db/database.ts";
import { ifUnlocked, onceUnlocked } from "../../platform/db/transactions/session-lock.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import { copiesStore, type StoredCopy } from "../records/copies-store.ts";
import type { CopiedRepository } from "../records/copy.ts";
import { graceMs } from "../records/store.ts";
import type { IndexReader } from "../serve/index-reader.ts";
import { publishedContent } from "../serve/published-content.ts";
import type { PublicationTarget } from "./publication-target.ts";

export interface CopyDeps {
  db: Db;
  jobs: Pick<Jobs, "enqueue">;
  clock: Clock;
  log: Logger;
  index: IndexReader;
  targets: readonly PublicationTarget[];
}

/** First halves of advisory lock keys; the second is the repository id, or a digest of the place. */
const repositoryLock = 0x636f_7079;
const placeLock = 0x706c_6163;

const firstPauseSeconds = 1;
const longestPauseSeconds = 300;

/**
 * Brings every copy of a repository up to date, one replica at a time: the others return immediately, since the one
 * that had the lock checks again after releasing it. Failures are retried with increasing delays until they succeed.
 */
export async function copyRepository(deps: CopyDeps, repositoryId: number): Promise<void> {
  let hadLock = await attemptUnderLock(deps, repositoryId, () => true);
  while (hadLock && (await due(deps, repositoryId, isUntried)).copies.length > 0)
    hadLock = await attemptUnderLock(deps, repositoryId, isUntried);
}

/** Whether what is due, tidying included, has not been tried yet; retries are jobs of their own. */
const isUntried = (copy: StoredCopy, serial: number): boolean =>
  copy.failures === 0 || (copy.wanted && copy.attemptedSerial < serial);

type Choice = (copy: StoredCopy, serial: number) => boolean;

/** The repository with the chosen ones of its copies that are out of date. */
async function due({ db, clock }: Pick<CopyDeps, "db" | "clock">, repositoryId: number, chosen: Choice) {
  const store = copiesStore(db);
  const repository = await store.repository(repositoryId);
  const behind = await store.behind(repositoryId, clock());
  return { repository, copies: behind.filter((copy) => chosen(copy, repository?.serial ?? 0)) };
}

/** Returns false, without any attempt, if another replica has the lock. */
function attemptUnderLock(deps: CopyDeps, repositoryId: number, chosen: Choice): Promise<boolean> {
  // A session lock: it is released with the connection if this process dies.
  return deps.db.connection().execute(async (connection) => {
    const done = await ifUnlocked(connection, { space: repositoryLock, key: repositoryId }, async () => {
      const { repository, copies } = await due({ ...deps, db: connection }, repositoryId, chosen);
      for (const copy of copies) {
        // A repository may move to a place that another one is just leaving.
        const place = { space: placeLock, key: `${copy.target} ${copy.place}` };
        await onceUnlocked(connection, place, () => attempt(deps, copy, repository));
      }
      return true;
    });
    return done ?? false;
  });
}

async function attempt(deps: CopyDeps, copy: StoredCopy, repository: CopiedRepository | undefined): Promise<void> {
  const started = deps.clock();
  try {
    if (copy.wanted && repository) await deliver(deps, copy, repository, started);
    else await withdraw(deps, copy);
  } catch (error) {
    deps.log.error({ err: error, repository: copy.repositoryId, place: copy.place }, "publication failed");
    await noteFailure(deps, copy, repository?.serial ?? 0, started);
  }
}

async function deliver(
  { db, jobs, index, targets }: CopyDeps,
  copy: StoredCopy,
  repository: CopiedRepository,
  started: Date,
): Promise<void> {
  const target = targets.find(({ name }) => name === copy.target);
  if (!target) throw new Error(`there is no target ${copy.target}`);
  if (await copiesStore(db).isTaken(copy)) throw new Error(`another repository belongs to ${copy.place}`);
  const content = await publishedContent(db, index, repository, started);
  const { withdrawnToo } = await target.deliver(copy, repository, content);
  await db.transaction().execute(async (tx) => {
    const tidyOn = withdrawnToo ? new Date(started.getTime() + graceMs) : null;
    await copiesStore(tx).markDelivered(copy, repository.serial, started, tidyOn);
    if (tidyOn)
      await jobs.enqueue(tx, "copy-repository", { repositoryId: copy.repositoryId }, Math.ceil(graceMs / 1000) + 1);
  });
}

async function withdraw({ db, targets }: CopyDeps, copy: StoredCopy): Promise<void> {
  const target = targets.find(({ name }) => name === copy.target);
  // The repository that is there now replaces the leftovers.
  if (!(await copiesStore(db).isTaken(copy))) await target?.withdraw(copy);
  await db.transaction().execute((tx) => copiesStore(tx).markWithdrawn(copy));
}

async function noteFailure({ db, jobs }: CopyDeps, copy: StoredCopy, serial: number, started: Date): Promise<void> {
  const pause = Math.min(longestPauseSeconds, firstPauseSeconds * 2 ** Math.min(copy.failures, 16));
  const next = new Date(started.getTime() + pause * 1000);
  await db.transaction().execute(async (tx) => {
    if (await copiesStore(tx).markFailed(copy, serial, started, next))
      await jobs.enqueue(tx, "copy-repository", { repositoryId: copy.repositoryId }, pause);
  });
}
