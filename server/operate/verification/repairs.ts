import { setTimeout as sleep } from "node:timers/promises";
import type { Technology } from "@packhouse/contract/technology";
import type { Logger } from "pino";
import { rechooseResponsible } from "../../features/maintainers/responsible-user.ts";
import { firstAdministrator } from "../../identity/sign-in/first-administrator.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Db, Tx } from "../../platform/db/database.ts";
import { Mistake } from "../../platform/errors/operator-error.ts";
import { recordEvent } from "../../platform/event-log/record-event.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import { unwatched } from "../../platform/observability/watch.ts";
import type { Settings } from "../../platform/settings/settings.ts";
import { digestsOfStream } from "../../platform/storage/digests.ts";
import type { ObjectStorage } from "../../platform/storage/storage.ts";
import { createTargets } from "../../publish/create-publication.ts";
import type { Block } from "../../publish/records/index-layout.ts";
import { purgePublishedFile } from "../../publish/records/purge-published-file.ts";
import { bringUpToDate } from "../../publish/render/render-repository.ts";
import { renderStore } from "../../publish/render/render-store.ts";
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
 * What repair does, one transaction and one event each, with the locks in their order. Events are those of the first
 * active administrator, and say that it was the operator's repair.
 */
export type Repairs = Awaited<ReturnType<typeof createRepairs>>;

export async function createRepairs(deps: RepairDeps) {
  const { db, storage, clock, jobs, log } = deps;
  const actor = await firstAdministrator(deps);
  if (!actor) throw new Mistake("There is no active administrator in whose name something could be repaired.");
  const rendering = { db, jobs, clock, log, watch: unwatched, targets: createTargets(deps) };
  const changed = new Set<number>();

  async function request(tx: Tx, repositoryId: number, names: string[] | null): Promise<void> {
    await renderStore(tx).noteChange(repositoryId, names, clock());
    // A server that runs may be faster; without one it is done by `settle`.
    await jobs.enqueue(tx, "publish-repository", { repositoryId });
    changed.add(repositoryId);
  }

  const eventOf = (tx: Tx, it: RepositoryRef, what: string) =>
    recordEvent(tx, {
      by: actor,
      at: clock(),
      type: "update",
      resource: "REPOSITORY",
      resourceId: it.repository_id,
      place: { technology: it.technology, repositoryId: it.repository_id },
      description: `The operator's repair ${what}.`,
    });

  const packageEvent = (tx: Tx, it: NamingPackage, what: string, active?: boolean) =>
    recordEvent(tx, {
      by: actor,
      at: clock(),
      type: "update",
      resource: "PACKAGE",
      resourceId: it.id,
      place: {
        technology: it.technology,
        repositoryId: it.repository_id,
        packageId: it.id,
        normalizedName: it.normalized_name,
      },
      changed: active === undefined ? [] : [{ property: "active", valueBefore: "true", valueAfter: String(active) }],
      description: `The operator's repair ${what}.`,
    });

  /** Within the repository's lock, then the package's. */
  const withPackage = (
    it: NamingPackage,
    work: (tx: Tx, now: { active: boolean; deleted: boolean }) => Promise<void>,
  ) =>
    db.transaction().execute(async (tx) => {
      await repairStore(tx).lockRepository(it.repository_id);
      const now = await repairStore(tx).lockPackage(it.id);
      if (now) await work(tx, now);
    });

  return {
    /** Takes a package whose bytes are lost out of the index: clients are told that it is gone, instead of failing. */
    withdrawPackage: (it: NamingPackage, digest: string, bytes: "lost" | "damaged") =>
      withPackage(it, async (tx, { active, deleted }) => {
        if (bytes === "lost" && (await storage.has(digest))) return; // uploaded again meanwhile
        if (active) await repairStore(tx).deactivate(it.id);
        const served = (await objectStore(tx).servedBy(digest)).some(
          ({ repository_id: id }) => id === it.repository_id,
        );
        await purgePublishedFile(tx, it.repository_id, digest);
        if (!active && !served) return;
        await rechooseResponsible(tx, it.repository_id, it.normalized_name);
        const what = `took ${it.name} ${it.version} out of the index of ${it.repository}, since its bytes are ${bytes}`;
        await packageEvent(tx, it, what, active ? false : undefined);
        if (active && !deleted) await request(tx, it.repository_id, [it.normalized_name]);
      }),

    /** Lets an address of earlier states say that its file is gone. */
    withdrawFile: (it: RepositoryRef & { path: string }, digest: string) =>
      db.transaction().execute(async (tx) => {
        await repairStore(tx).lockRepository(it.repository_id);
        await purgePublishedFile(tx, it.repository_id, digest);
        await eventOf(tx, it, `took ${it.path} out of earlier states of ${it.repository}, since its bytes are lost`);
      }),

    forgetManual: (it: NamingPackage, digest: string) =>
      withPackage(it, async (tx) => {
        if (!(await repairStore(tx).forgetManual(it.id, digest))) return;
        await packageEvent(tx, it, `asked for the manual of ${it.name} ${it.version} again, since its bytes are lost`);
        await jobs.enqueue(tx, "build-manual", { packageId: it.id });
      }),

    /** Read again first: what was wrong with the reading alone must not cost the bytes. */
    removeDamaged: (digest: string) =>
      db.transaction().execute(async (tx) => {
        await objectStore(tx).lockRow(digest);
        if (!(await storage.has(digest))) return;
        const { digests } = await digestsOfStream(await storage.read(digest));
        if (digests.sha256 !== digest) await storage.remove(digest);
      }),

    correctPackage: (it: NamingPackage, truth: Awaited<ReturnType<typeof digestsOfStream>>) =>
      withPackage(it, async (tx, { active, deleted }) => {
        if (it.asManual) await repairStore(tx).setManualSize(it.id, truth.size);
        else await repairStore(tx).setFile(it.id, truth.size, truth.digests);
        await packageEvent(tx, it, `corrected size and digests of ${it.name} ${it.version} in ${it.repository}`);
        if (!it.asManual && active && !deleted) await request(tx, it.repository_id, [it.normalized_name]);
      }),

    correctServed: (it: RepositoryRef, digest: string, size: number) =>
      db.transaction().execute(async (tx) => {
        await repairStore(tx).lockRepository(it.repository_id);
        await repairStore(tx).setServedSize(it.repository_id, digest, size);
        await eventOf(tx, it, `corrected the size of a file of ${it.repository}`);
      }),

    putBlock: (block: Block) => repairStore(db).putBlock(block),

    /** Makes the index anew, whole. */
    remake: (it: RepositoryRef) =>
      db.transaction().execute(async (tx) => {
        await request(tx, it.repository_id, null);
        await repairStore(tx).closeStrays(it.repository_id, clock());
        await eventOf(tx, it, `made the index of ${it.repository} anew`);
      }),

    catchUp: (repositoryId: number): void => {
      changed.add(repositoryId);
    },

    /** Renders what was changed, or waits for whoever does. */
    async settle(): Promise<void> {
      for (const id of changed) {
        for (;;) {
          await bringUpToDate(rendering, id);
          if (!(await renderStore(db).isBehind(id))) break;
          await sleep(200);
        }
      }
      changed.clear();
    },

    sweep: () => jobs.enqueue(db, "sweep-objects", {}),
  };
}
