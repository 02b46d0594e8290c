import { createHash } from "node:crypto";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import type { Deps } from "../deps.ts";
import { mirrors, synchronizations } from "./records/store.ts";
import { synchronizeRepository } from "./synchronize-repository.ts";
import { createUpstreamClient } from "./upstream/upstream-client.ts";

/** Synchronizes repositories with their mirrors: by schedule, and on request. */
export interface Mirroring {
  /** Starts a run in the background; false, with a warning in the log, while one is on. */
  request(repositoryId: number): Promise<boolean>;
  /** Call it after the jobs have started: schedules the mirrors and resumes interrupted runs. */
  start(): Promise<void>;
  /** Stops running synchronizations; they continue at the next start. */
  stop(): void;
}

/** How long a run waits, at least, for another one of the same repository. */
const secondsUntilRetry = 60;

export function createMirroring(deps: Deps, jobs: Jobs): Mirroring {
  const { db, clock, log, settings } = deps;
  const client = createUpstreamClient(settings);
  const ending = new AbortController();

  jobs.work(
    "synchronize-mirrors",
    async (payloads) => {
      for (const payload of payloads) {
        if (await synchronizeRepository(deps, { client, signal: ending.signal }, payload)) continue;
        const about = { repository: payload.repositoryId };
        if (payload.schedule === null) log.warn(about, "a synchronization is already running; another one was skipped");
        else {
          // It may be of another schedule, and of other mirrors.
          log.info(about, "a synchronization is already running; the scheduled one is tried again in a minute");
          await jobs.enqueueRescue(db, "synchronize-mirrors", payload, secondsUntilRetry);
        }
      }
    },
    // Runs take long, and a batch ends, and is retried, as one. Slow mirrors of some repositories do not stop the others.
    { batchSize: 1, localConcurrency: 4 },
  );

  return {
    async request(repositoryId) {
      const accepted = await db.transaction().execute(async (tx) => {
        if ((await mirrors(tx).ofRepository(repositoryId)).length === 0) return true;
        if (!(await synchronizations(tx).request(repositoryId, clock()))) return false;
        await jobs.enqueue(tx, "synchronize-mirrors", { repositoryId, schedule: null });
        return true;
      });
      if (!accepted)
        log.warn({ repository: repositoryId }, "a synchronization is already running; another one was skipped");
      return accepted;
    },
    async start() {
      const scheduled = (await mirrors(db).schedules()).map(({ repository_id: repositoryId, schedule }) => ({
        key: `repository-${repositoryId}-${createHash("sha256").update(schedule).digest("hex").slice(0, 16)}`,
        cron: schedule,
        payload: { repositoryId, schedule },
      }));
      await jobs.schedule("synchronize-mirrors", scheduled);
      for (const repositoryId of await synchronizations(db).unfinished())
        await jobs.enqueue(db, "synchronize-mirrors", { repositoryId, schedule: null });
    },
    stop() {
      ending.abort(new Error("the server is stopping"));
      client.close();
    },
  };
}
