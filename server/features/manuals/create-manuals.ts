import type { StoredPackage } from "@packhouse/formats/r/vignettes";
import { UnacceptablePackage } from "@packhouse/formats/unacceptable-package";
import type { Logger } from "pino";
import type { Clock } from "../../platform/clock.ts";
import type { Db, Tx } from "../../platform/db/database.ts";
import { Refusal } from "../../platform/errors/refusal.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import { holdObject, keepObject } from "../../platform/storage/named-object-store.ts";
import { type ObjectStorage, type StagedObject, stage } from "../../platform/storage/storage.ts";
import type { Workers } from "../../platform/workers/pool.ts";
import { manualStore } from "./manual-store.ts";
import { readDocumentationTask } from "./manual-tasks.ts";
import { largestPdf, type PdfBuilder } from "./pdf-manual.ts";

/** A PDF to be stored, or why there is none. */
export type BuiltManual = { staged: StagedObject } | { failure: string };

/** PDF manuals of R packages. */
export interface Manuals {
  /** Whether this machine can build them. */
  readonly available: boolean;
  /** Builds one now, outside of any transaction. */
  build(stored: StoredPackage): Promise<BuiltManual>;
  /** Requests a build after the transaction commits. A failure is noted with the package. */
  request(tx: Tx, packageId: number): Promise<void>;
  /** Requests pending manuals of accepted packages again: a restored database has no jobs. Needs started jobs. */
  resume(): Promise<void>;
}

interface Context {
  db: Db;
  storage: ObjectStorage;
  jobs: Jobs;
  workers: Workers;
  clock: Clock;
  log: Logger;
  builder: PdfBuilder;
}

export function createManuals({ db, storage, jobs, workers, clock, log, builder }: Context): Manuals {
  // Most machines do not, and those who start the product there need not care; `packhouse doctor` has the reason.
  if ("missing" in builder) log.debug({ reason: builder.missing }, "this server does not build PDF manuals");

  const manuals: Manuals = {
    available: "build" in builder,
    async build(stored) {
      if ("missing" in builder) return { failure: `this server does not build PDF manuals: ${builder.missing}` };
      const { fileName, kind, source } = stored;
      const files = await workers
        .run(readDocumentationTask, { fileName, kind, figures: true }, { source })
        .catch((error: unknown) => {
          const reason = whyUnreadable(error);
          if (reason === undefined) throw error;
          return { failure: reason };
        });
      if (!files) return { failure: "the package has no documentation" };
      if ("failure" in files) return files;
      const manual = await builder.build(files);
      return "failure" in manual ? manual : { staged: await stage(storage, chunkOf(manual.pdf), largestPdf) };
    },
    request: (tx, packageId) => jobs.enqueue(tx, "build-manual", { packageId }),
    async resume() {
      for (const id of await manualStore(db).wanted()) await jobs.enqueue(db, "build-manual", { packageId: id });
    },
  };

  const buildFor = async (packageId: number) => {
    const row = await manualStore(db).package(packageId);
    if (!row || row.deleted || !row.manual_wanted) return;
    const source = await storage.source(row.digest);
    const manual = await manuals.build({ source, fileName: row.file_name, kind: row.kind });
    if ("failure" in manual) {
      log.warn({ package: packageId, reason: manual.failure }, "manual failed");
      await manualStore(db).finish(packageId, { manual_failure: manual.failure });
      return;
    }
    const { staged } = manual;
    try {
      await keepObject(db, clock, staged);
      await db.transaction().execute(async (tx) => {
        await holdObject(tx, clock, staged);
        await manualStore(tx).finish(packageId, { manual_digest: staged.digests.sha256, manual_size: staged.size });
      });
    } finally {
      await staged.discard();
    }
  };
  // One job at a time: a manual may take a minute, and jobs fetched together expire together.
  jobs.work(
    "build-manual",
    async (payloads) => {
      for (const { packageId } of payloads) await buildFor(packageId);
    },
    { batchSize: 1, localConcurrency: 2 },
  );
  return manuals;
}

/** For an archive that is refused, or that reached a limit of the workers; undefined for all else. */
function whyUnreadable(error: unknown): string | undefined {
  if (error instanceof UnacceptablePackage) return error.message;
  if (!(error instanceof Refusal) || error.status !== 422) return undefined;
  return Array.isArray(error.data) ? error.data.map(String).join(", ") : error.message;
}

async function* chunkOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
