import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { Clock } from "../platform/clock.ts";
import type { Db } from "../platform/db/database.ts";
import type { Jobs } from "../platform/jobs/jobs.ts";
import type { Listener } from "../platform/jobs/listener.ts";
import type { Watch } from "../platform/observability/watch.ts";
import type { Settings } from "../platform/settings/settings.ts";
import type { ObjectStorage } from "../platform/storage/storage.ts";
import { copyRepository } from "./copies/copy-repository.ts";
import { exportTarget } from "./copies/export/export-target.ts";
import { planWithdrawal } from "./copies/plan-withdrawal.ts";
import type { PublicationTarget } from "./copies/publication-target.ts";
import { pushTarget } from "./copies/push/push-target.ts";
import { copiesStore } from "./records/copies-store.ts";
import type { Publication, PublicationOutcome } from "./records/publication.ts";
import { createPublishedRepositories } from "./records/published-repositories.ts";
import { publicationStore } from "./records/store.ts";
import { bringUpToDate, planCopies, rendersWithin, renderWithin } from "./render/render-repository.ts";
import { renderStore, type Serials } from "./render/render-store.ts";
import { sharedRenders } from "./render/shared-renders.ts";
import { createIndexReader, type Published } from "./serve/index-reader.ts";
import { createKnownAnswers } from "./serve/known-answers.ts";

interface Context {
  db: Db;
  storage: ObjectStorage;
  jobs: Jobs;
  listener: Listener;
  settings: Settings;
  clock: Clock;
  log: Logger;
  watch: Pick<Watch, "rendered">;
}

/** Copies take long, and one that hangs must not block others. Each holds a pool connection. */
const oneAtATime = { batchSize: 1, localConcurrency: 3 };

/** How long to wait for the notification of a render before checking the serials anyway. */
const patienceMs = 250;

/** A call that waits for its render does it itself; the job finds nothing to do, unless the process ended in between. */
const rescueAfterSeconds = 2;

/** Where repositories are published in addition to this server. */
export const createTargets = ({
  db,
  storage,
  settings,
}: Pick<Context, "db" | "storage" | "settings">): PublicationTarget[] => [
  pushTarget({ db, storage, settings }),
  exportTarget({ storage, settings }),
];

/**
 * Publishes repositories: renders them by jobs in the database, serves them from every replica, and copies them to
 * other places.
 */
export function createPublication({ db, storage, jobs, listener, settings, clock, log, watch }: Context): {
  publication: Publication;
  published: Published;
  /** From now on changes that other processes make are noticed. */
  listen(): Promise<void>;
  /** Requests again what was lost with its process. After the jobs have started. */
  resume(): Promise<void>;
} {
  const repositories = createPublishedRepositories(db, listener);
  const index = createIndexReader(db);
  const targets = createTargets({ db, storage, settings });
  const rendering = { db, jobs, clock, targets, log, watch };
  const renderHere = sharedRenders((id, rendered) => bringUpToDate(rendering, id, rendered), log);

  /** What renders now may be a call, which has no other job to make up for it if it fails. */
  const renderOrLookAgain = async (repositoryId: number) => {
    if (await bringUpToDate(rendering, repositoryId)) return;
    await jobs.enqueueRescue(db, "publish-repository", { repositoryId }, rescueAfterSeconds);
  };

  jobs.work(
    "publish-repository",
    async (payloads) => {
      const ids = [...new Set(payloads.map(({ repositoryId }) => repositoryId))];
      const outcomes = await Promise.allSettled(ids.map(renderOrLookAgain));
      const failure = outcomes.find((outcome) => outcome.status === "rejected");
      if (failure) {
        log.error({ err: failure.reason, repositories: ids }, "publication failed");
        throw failure.reason;
      }
    },
    // While one renders a large repository, others are rendered, too.
    { localConcurrency: 2 },
  );

  jobs.work(
    "copy-repository",
    async (payloads) => {
      for (const { repositoryId } of payloads)
        await copyRepository({ db, jobs, clock, log, index, targets }, repositoryId);
    },
    oneAtATime,
  );

  const publication: Publication = {
    async note(tx, repositoryId, names, { raisesVersionBy } = {}) {
      await renderStore(tx).noteChange(repositoryId, names, { at: clock(), raisesVersionBy });
    },
    render: (db, repositoryId, { awaited = false } = {}) =>
      awaited
        ? jobs.enqueueRescue(db, "publish-repository", { repositoryId }, rescueAfterSeconds)
        : jobs.enqueue(db, "publish-repository", { repositoryId }),
    rendersWithin,
    async renderWithin(tx, last, change) {
      const { copied, report } = await renderWithin(rendering, tx, last, change);
      const { id } = change.repository;
      return async () => {
        report();
        if (copied) return publication.whenServed([id]);
        // Its notification may not have reached this process yet.
        await repositories.refresh(id);
        return "served";
      };
    },
    async withdraw(tx, repositoryId) {
      if (await planWithdrawal(tx, repositoryId)) await jobs.enqueue(tx, "copy-repository", { repositoryId });
    },
    async tidySoon(tx, repositoryId) {
      if (await copiesStore(tx).tidySoon(repositoryId, clock()))
        await jobs.enqueue(tx, "copy-repository", { repositoryId });
    },
    async whenServed(repositoryIds) {
      const deadline = performance.now() + settings["publication.waitMs"];
      const outcomes = await Promise.all(repositoryIds.map((id) => servedBy(id, deadline)));
      // Taken-down files must be gone when the call returns, even if the render failed.
      const late = repositoryIds.filter((_id, index) => outcomes[index] !== "served");
      if (late.length > 0) await publicationStore(db).closeTakenDown(late);
      return (
        outcomes.find((outcome) => outcome === "failed") ?? outcomes.find((outcome) => outcome === "late") ?? "served"
      );
    },
  };

  /** Waits until a repository is served as it is now, here and elsewhere. */
  async function servedBy(id: number, deadline: number): Promise<PublicationOutcome> {
    const store = renderStore(db);
    let target: number | undefined;
    let render: "now" | "after waiting" | "never" = "now";
    let known: Serials | undefined;
    for (;;) {
      const row = known ?? (await store.serials(id));
      known = undefined;
      target ??= row?.serial ?? 0;
      if (!row || row.rendered_serial >= target) {
        // Its notification may not have reached this process yet.
        await repositories.refresh(id);
        const outcome = row?.has_copies ? await copiedBy(id, target) : "served";
        if (outcome !== "late") return outcome;
      }
      const left = deadline - performance.now();
      if (left <= 0) return "late";
      if (render === "now" && row && row.rendered_serial < target) {
        const outcome = await Promise.race([renderHere(id), sleep(left, "late" as const, { ref: false })]);
        if (typeof outcome === "object") known = outcome;
        // The render of another connection may have committed in the meantime, or may still fail. One that failed here
        // is left to the job.
        else if (outcome !== "late") render = outcome === "failed" ? "never" : "after waiting";
      } else {
        await repositories.served(id, target, Math.min(patienceMs, left));
        if (render === "after waiting") render = "now";
      }
    }
  }

  /** The state of a repository's copies. Places that an earlier change has abandoned do not count. */
  async function copiedBy(id: number, target: number): Promise<PublicationOutcome> {
    const concerned = (await copiesStore(db).behind(id)).filter(({ wanted, serial }) =>
      wanted ? serial < target : serial >= target,
    );
    if (concerned.length === 0) return "served";
    const failed = concerned.some(
      ({ wanted, failures, attemptedSerial }) => failures > 0 && (!wanted || attemptedSerial >= target),
    );
    return failed ? "failed" : "late";
  }

  /** Settings may have changed, and jobs may have been lost with their worker. */
  async function resumeCopies(): Promise<void> {
    const store = copiesStore(db);
    const behind = await store.orphaned();
    for (const repository of await store.allPlaced())
      if (await planCopies(db, targets, repository)) behind.push(repository.id);
    for (const repositoryId of behind) await jobs.enqueue(db, "copy-repository", { repositoryId });
  }

  return {
    publication,
    published: { repositories, index, answers: createKnownAnswers(repositories, index) },
    listen: () => repositories.start(),
    async resume() {
      // Enqueues lost renders now instead of waiting until their loss is noticed.
      for (const { id } of await renderStore(db).behind())
        await jobs.enqueue(db, "publish-repository", { repositoryId: id });
      await resumeCopies();
    },
  };
}
