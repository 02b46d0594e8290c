import type { Logger } from "pino";
import type { Clock } from "../clock.ts";
import type { Db } from "../db/database.ts";
import type { Jobs } from "../jobs/jobs.ts";
import type { Listener } from "../jobs/listener.ts";
import type { Settings } from "../settings.ts";
import { createIndexReader, type IndexReader } from "./index-reader.ts";
import type { Publication } from "./publication.ts";
import { createPublishedRepositories, type PublishedRepositories } from "./published-repositories.ts";
import { bringUpToDate } from "./render-repository.ts";
import { renderStore } from "./render-store.ts";

interface Ground {
  db: Db;
  jobs: Jobs;
  listener: Listener;
  settings: Pick<Settings, "publication.waitMs">;
  clock: Clock;
  log: Logger;
}

/** What the routes serve from. */
export interface Published {
  repositories: PublishedRepositories;
  index: IndexReader;
}

/** How long word of a render is waited for before the serials are looked at all the same. */
const patienceMs = 250;

/** Publishes from this server: renders as jobs in the database, served by every replica. */
export function createPublication({ db, jobs, listener, settings, clock, log }: Ground): {
  publication: Publication;
  published: Published;
  /** After the jobs have started. */
  start(): Promise<void>;
} {
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
    async note(tx, repositoryId, names) {
      await renderStore(tx).noteChange(repositoryId, names === "everything" ? null : names);
    },
    render: (repositoryId) => jobs.enqueue(db, "publish-repository", { repositoryId }),
    async request(tx, repositoryId, names) {
      await publication.note(tx, repositoryId, names);
      await jobs.enqueue(tx, "publish-repository", { repositoryId });
    },
    async settled(repositoryIds) {
      const deadline = performance.now() + settings["publication.waitMs"];
      const outcomes = await Promise.all(repositoryIds.map((id) => servedBy(id, deadline)));
      return outcomes.every((served) => served);
    },
  };

  /** Waits until a repository is served as it is now. */
  async function servedBy(id: number, deadline: number): Promise<boolean> {
    const store = renderStore(db);
    let target: number | undefined;
    for (;;) {
      const row = await store.serials(id);
      target ??= row?.serial ?? 0;
      if (!row || row.rendered_serial >= target) {
        // The word of it may still be on its way to this process.
        repositories.forget(id);
        return true;
      }
      const left = deadline - performance.now();
      if (left <= 0) return false;
      await repositories.served(id, target, Math.min(patienceMs, left));
    }
  }

  return {
    publication,
    published: { repositories, index: createIndexReader(db) },
    async start() {
      await repositories.start();
      // A render whose job was lost with its worker need not wait until that is noticed.
      for (const { id } of await renderStore(db).behind())
        await jobs.enqueue(db, "publish-repository", { repositoryId: id });
    },
  };
}
