import type { ByteSource } from "@packhouse/formats/byte-source";
import { formatOf } from "@packhouse/formats/format";
import { UnacceptablePackage } from "@packhouse/formats/unacceptable-package";
import type { PackageRow } from "../../../platform/db/schema.ts";
import { Refusal } from "../../../platform/errors/refusal.ts";
import type { Jobs } from "../../../platform/jobs/jobs.ts";
import { ObjectMissing } from "../../../platform/storage/storage.ts";
import type { Deps } from "../../deps.ts";
import { factsStore } from "./facts-store.ts";
import { noFacts, type PackageFacts } from "./package-facts.ts";
import { readFactsTask } from "./package-tasks.ts";

type Reading = Pick<Deps, "db" | "storage" | "workers">;

/** What was read from the archive of a package; a worker reads it now if the package is older than this version. */
export async function findFacts(reading: Reading, row: PackageRow): Promise<PackageFacts> {
  return (await factsStore(reading.db).of(row.id)) ?? readAndKeep(reading, row);
}

async function readAndKeep({ db, storage, workers }: Reading, row: PackageRow, whose?: number): Promise<PackageFacts> {
  const inRecords = formatOf(row.technology).documentedIn === "metadata";
  const source = inRecords ? undefined : await sourceOf(storage, row.digest);
  const read = (from: ByteSource | undefined) =>
    workers.run(
      readFactsTask,
      {
        technology: row.technology,
        kind: row.kind,
        fileName: row.file_name,
        metadata: row.metadata,
        description: row.description,
        descriptionContentType: row.description_content_type,
      },
      { source: from, whose },
    );
  // An old archive that would be refused today is refused each time; what can be read is stored once.
  const facts = await read(source)
    .catch((error: unknown) => (isRefused(error) ? read(undefined) : Promise.reject(error)))
    .catch((error: unknown) => (isRefused(error) ? noFacts : Promise.reject(error)));
  if (inRecords || source) await factsStore(db).save(row.id, facts);
  return facts;
}

/** It breaks a rule, or reached a limit. */
const isRefused = (error: unknown): boolean =>
  error instanceof UnacceptablePackage || (error instanceof Refusal && error.status === 422);

/** Undefined when the bytes are lost: `verify` reports that, and it does not hide what the records know. */
async function sourceOf(storage: Deps["storage"], digest: string): Promise<ByteSource | undefined> {
  try {
    return await storage.source(digest);
  } catch (error) {
    if (error instanceof ObjectMissing) return undefined;
    throw error;
  }
}

const atOnce = 20;
const pauseSeconds = 1;
/** No user has this id: users' requests come first. */
const background = 0;

/** Reads, a few at a time, what earlier versions of the program have not. */
export function fillFacts(reading: Reading & Pick<Deps, "log">, jobs: Jobs): { start(): Promise<void> } {
  jobs.work(
    "read-facts",
    async ([job]) => {
      if (!job) return;
      const rows = await factsStore(reading.db).missing(job.afterId, atOnce);
      for (const row of rows)
        await readAndKeep(reading, row, background).catch((error: unknown) => {
          if (error instanceof Refusal) throw error; // overloaded: try again later
          reading.log.error({ err: error, package: row.id }, "an archive could not be read");
        });
      const last = rows.at(-1);
      if (last) await jobs.enqueue(reading.db, "read-facts", { afterId: last.id }, pauseSeconds);
    },
    { batchSize: 1 },
  );
  return {
    async start() {
      const [first] = await factsStore(reading.db).missing(0, 1);
      if (first) await jobs.enqueue(reading.db, "read-facts", { afterId: 0 });
    },
  };
}
