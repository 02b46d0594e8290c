import type { Logger } from "pino";
import type { Clock } from "../clock.ts";
import type { OpenDatabase } from "../db/database.ts";
import { createJobs, type Jobs } from "../jobs/jobs.ts";
import { createListener } from "../jobs/listener.ts";
import type { Settings } from "../settings.ts";
import { createIndexReader, type IndexReader } from "./index-reader.ts";
import type { Publication } from "./publication.ts";
import { createPublishedRepositories, type PublishedRepositories } from "./published-repositories.ts";
import { bringUpToDate } from "./render-repository.ts";
import { publicationStore } from "./store.ts";

interface Ground {
  database: OpenDatabase;
  settings: Pick<Settings, "publication.waitMs">;
  clock: Clock;
  log: Logger;
}

/** What the routes serve from. */
export interface Published {
  repositories: PublishedRepositories;
  index: IndexReader;
}

/** How long nobody may be heard of before the serials are looked at all the same. */
const patienceMs = 500;

/** Publishes from this server: renders as jobs in the database, served by every replica. */
export function createPublication({ database, settings, clock, log }: Ground): {
  publication: Publication;
  published: Published;
  jobs: Pick<Jobs, "start" | "stop">;
} {
  const { db, pool } = database;
  const listener = createListener(pool.options, log);
  const jobs = createJobs(database, listener, log);
  const repositories = createPublishedRepositories(db, listener);

  jobs.work("publish-repository", async (payloads) => {
    const ids = [...new Set(payloads.map(({ repositoryId }) => repositoryId))];
    const outcomes = await Promise.allSettled(ids.map((id) => bringUpToDate({ db, clock }, id)));
    const failure = outcomes.find((outcome) => outcome.status === "rejected");
    if (failure) {
      log.error({ err: failure.reason, repositories: ids }, "publication failed");
      throw failure.reason;
    }
  });

  const publication: Publication = {
    async request(tx, repositoryId, names) {
      const store = publicationStore(tx);
      const serial = await store.raiseSerial(repositoryId);
      if (serial === undefined) return;
      await store.noteChange(repositoryId, serial, names === "everything" ? null : names);
      await jobs.enqueue(tx, "publish-repository", { repositoryId });
    },
    async settled(repositoryIds) {
      if (repositoryIds.length === 0) return true;
      const store = publicationStore(db);
      const deadline = performance.now() + settings["publication.waitMs"];
      let targets: ReadonlyMap<number, number> | undefined;
      for (;;) {
        // Waiting begins before looking: what changes in between wakes the waiter.
        const left = deadline - performance.now();
        const change = repositories.nextChange(repositoryIds, Math.max(1, Math.min(patienceMs, left)));
        const rows = await store.serials(repositoryIds);
        targets ??= new Map(rows.map(({ id, serial }) => [id, serial]));
        if (rows.every(({ id, rendered_serial }) => rendered_serial >= (targets?.get(id) ?? 0))) {
          for (const id of repositoryIds) repositories.forget(id);
          return true;
        }
        if (left <= 0) return false;
        await change;
      }
    },
  };

  return {
    publication,
    published: { repositories, index: createIndexReader(db) },
    jobs: {
      async start() {
        await repositories.start();
        await jobs.start();
        // A render whose job was lost with its worker need not wait until that is noticed.
        for (const { id } of await publicationStore(db).behind())
          await db.transaction().execute((tx) => jobs.enqueue(tx, "publish-repository", { repositoryId: id }));
      },
      async stop() {
        await jobs.stop();
        await listener.close();
      },
    },
  };
}
