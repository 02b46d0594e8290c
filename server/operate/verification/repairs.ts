import { setTimeout as sleep } from "node:timers/promises";
import type { Technology } from "@packhouse/contract/technology";
import type { Logger } from "pino";
import { rechooseResponsible } from "../../features/maintainers/responsible-user-store.ts";
import { changeRepositories } from "../../features/unit-of-work/change-repository.ts";
import type { RepositoryUnit } from "../../features/unit-of-work/repository-unit.ts";
import { firstAdministrator } from "../../identity/sign-in/first-administrator.ts";
import type { Clock } from "../../platform/clock.ts";
import { correctPackageCounts } from "../../platform/db/counts-upkeep-store.ts";
import type { Db, Tx } from "../../platform/db/database.ts";
import { OperatorError } from "../../platform/errors/operator-error.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import { unwatched } from "../../platform/observability/watch.ts";
import type { Settings } from "../../platform/settings/settings.ts";
import { digestsOfStream } from "../../platform/storage/digests.ts";
import type { ObjectStorage } from "../../platform/storage/storage.ts";
import { createTargets } from "../../publish/create-publication.ts";
import { offlinePublication } from "../../publish/offline-publication.ts";
import type { Block } from "../../publish/records/index-layout.ts";
import { purgePublishedFile } from "../../publish/records/purge-published-file.ts";
import { bringUpToDate } from "../../publish/render/render-repository.ts";
import { type NamingPackage, objectStore } from "./object-store.ts";
import { repairStore } from "./repair-store.ts";

export interface RepairDeps {
  db: Db;
  storage: ObjectStorage;
  settings: Settings;
  clock: Clock;
  jobs: Pick<Jobs, "enqueue">;
  log: Logger;
}

interface RepositoryRef {
  repository_id: number;
  repository: string;
  technology: Technology;
}

/**
 * What repair does, one transaction and one event each, with the locks in their order. Events are attributed to the
 * first active administrator, and state that it was the operator's repair.
 */
export type Repairs = Awaited<ReturnType<typeof createRepairs>>;

export async function createRepairs(deps: RepairDeps) {
  const { db, storage, clock, jobs, log } = deps;
  const actor = await firstAdministrator(deps);
  if (!actor) throw new OperatorError("There is no active administrator, whose permissions are needed for repairs.");
  const rendering = { db, jobs, clock, log, watch: unwatched, targets: createTargets(deps) };
  const changed = new Set<number>();

  const publication = {
    ...offlinePublication(clock),
    // A running server may be faster; without one `awaitRenders` renders.
    async render(tx: Db | Tx, repositoryId: number) {
      await jobs.enqueue(tx, "publish-repository", { repositoryId });
      changed.add(repositoryId);
    },
  };

  /** Does nothing to a repository that was purged since it was verified. */
  const withRepository = (id: number, work: (unit: RepositoryUnit) => Promise<void>) =>
    changeRepositories(
      { db, clock, publication },
      async ({ lock }) => {
        const unit = await lock(id);
        if (unit) await work(unit);
      },
      { publication: "requested" },
    );

  const repositoryEvent = (unit: RepositoryUnit, what: string) =>
    unit.record({
      by: actor,
      type: "update",
      resource: "REPOSITORY",
      resourceId: unit.repository.id,
      description: `The operator's repair ${what}.`,
    });

  const packageEvent = (unit: RepositoryUnit, it: NamingPackage, what: string, active?: boolean) =>
    unit.record({
      by: actor,
      type: "update",
      resource: "PACKAGE",
      resourceId: it.id,
      packageId: it.id,
      normalizedName: it.normalized_name,
      changed: active === undefined ? [] : [{ property: "active", valueBefore: "true", valueAfter: String(active) }],
      description: `The operator's repair ${what}.`,
    });

  /** Within the repository's lock, then the package's. */
  const withPackage = (
    it: NamingPackage,
    work: (unit: RepositoryUnit, now: { active: boolean; deleted: boolean }) => Promise<void>,
  ) =>
    withRepository(it.repository_id, async (unit) => {
      const now = await repairStore(unit.tx).lockPackage(it.id);
      if (now) await work(unit, now);
    });

  return {
    /** Removes a package whose bytes are lost from the index: clients then see that it is gone instead of failing. */
    withdrawPackage: (it: NamingPackage, digest: string, bytes: "lost" | "damaged") =>
      withPackage(it, async (unit, { active, deleted }) => {
        const { tx } = unit;
        if (bytes === "lost" && (await storage.has(digest))) return; // uploaded again in the meantime
        if (active) await repairStore(tx).deactivate(it.id);
        const served = (await objectStore(tx).servedBy(digest)).some(
          ({ repository_id: id }) => id === it.repository_id,
        );
        await purgePublishedFile(tx, it.repository_id, digest);
        if (!active && !served) return;
        await rechooseResponsible(tx, it.repository_id, it.normalized_name);
        const what = `removed ${it.name} ${it.version} from the index of ${it.repository}, because its bytes are ${bytes}`;
        packageEvent(unit, it, what, active ? false : undefined);
        if (active && !deleted) unit.publish([it.normalized_name]);
      }),

    /** Marks a file as gone at an address of earlier states. */
    withdrawFile: (it: RepositoryRef & { path: string }, digest: string) =>
      withRepository(it.repository_id, async (unit) => {
        await purgePublishedFile(unit.tx, it.repository_id, digest);
        repositoryEvent(unit, `removed ${it.path} from earlier states of ${it.repository}, because its bytes are lost`);
      }),

    forgetManual: (it: NamingPackage, digest: string) =>
      withPackage(it, async (unit) => {
        if (!(await repairStore(unit.tx).forgetManual(it.id, digest))) return;
        const what = `requested the manual of ${it.name} ${it.version} again, because its bytes are lost`;
        packageEvent(unit, it, what);
        await jobs.enqueue(unit.tx, "build-manual", { packageId: it.id });
      }),

    /** Reads again first: an error of the reading alone must not cost the bytes. */
    removeDamaged: (digest: string) =>
      db.transaction().execute(async (tx) => {
        await objectStore(tx).lockRow(digest);
        if (!(await storage.has(digest))) return;
        const { digests } = await digestsOfStream(await storage.read(digest));
        if (digests.sha256 !== digest) await storage.remove(digest);
      }),

    correctPackage: (it: NamingPackage, truth: Awaited<ReturnType<typeof digestsOfStream>>) =>
      withPackage(it, async (unit, { active, deleted }) => {
        if (it.asManual) await repairStore(unit.tx).setManualSize(it.id, truth.size);
        else await repairStore(unit.tx).setFile(it.id, truth.size, truth.digests);
        packageEvent(unit, it, `corrected size and digests of ${it.name} ${it.version} in ${it.repository}`);
        if (!it.asManual && active && !deleted) unit.publish([it.normalized_name]);
      }),

    correctServed: (it: RepositoryRef, digest: string, size: number) =>
      withRepository(it.repository_id, async (unit) => {
        await repairStore(unit.tx).setServedSize(it.repository_id, digest, size);
        repositoryEvent(unit, `corrected the size of a file of ${it.repository}`);
      }),

    correctCounts: () => correctPackageCounts(db),

    putBlock: (block: Block) => repairStore(db).putBlock(block),

    /** Renders the whole index again. */
    remake: (it: RepositoryRef) =>
      withRepository(it.repository_id, async (unit) => {
        unit.publish("everything");
        await repairStore(unit.tx).closeStrays(it.repository_id, clock());
        repositoryEvent(unit, `rendered the index of ${it.repository} again`);
      }),

    catchUp: (repositoryId: number): void => {
      changed.add(repositoryId);
    },

    /** Renders what was changed, or waits for the server that does. */
    async awaitRenders(): Promise<void> {
      for (const id of changed) {
        for (;;) {
          if (await bringUpToDate(rendering, id)) break;
          await sleep(200);
        }
      }
      changed.clear();
    },

    sweep: () => jobs.enqueue(db, "sweep-objects", {}),
  };
}
