import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkStages } from "./check-stages.ts";
import { provideConsole } from "./console-build.ts";
import { providePrograms } from "./programs.ts";
import { attacks, type Counts, couldNotRun, playwright, stage, summarize, vitest } from "./test-runs.ts";

/** `npm test`: everything, from formatting to real clients. Ends with how many tests passed and failed. */

/** What is tried on a PostgreSQL server and a bucket, too; `npm run test:long` tries all of the API's tests there. */
const slice = [
  "server/features/submissions/upload.api",
  "server/publish/r-repository.api",
  "server/publish/python-repository.api",
  "server/publish/records/snapshots.api",
  "server/platform/storage/sweep-objects.api",
];

async function checks(): Promise<Counts[]> {
  const counted: Counts[] = [];
  for (const check of checkStages) counted.push(await stage({ ...check, output: "at the end" }));
  return counted;
}

async function atOnce(...runs: Promise<Counts | Counts[]>[]): Promise<void> {
  counts.push(...(await Promise.all(runs)).flat());
}

const folder = await mkdtemp(join(tmpdir(), "packhouse-reports-"));
const counts: Counts[] = [];
try {
  await providePrograms();
  // What uses one processor, or waits much, runs next to something else.
  await atOnce(vitest({ name: "unit tests", project: "unit", folder }), checks());
  await provideConsole();
  // They wait for a fifth of the time, so two processors are busy with three.
  counts.push(await vitest({ name: "API tests", project: "api", folder, workers: 3 }));
  await atOnce(
    vitest({ name: "real clients", project: "clients", folder }),
    vitest({
      name: "API on a PostgreSQL server and S3",
      project: "api",
      folder,
      files: slice,
      environment: { PACKHOUSE_TEST_ON: "server+bucket" },
      output: "at the end",
    }),
  );
  counts.push(await playwright({ name: "browser tests", folder }));
  counts.push(
    await attacks({
      name: "attacks",
      folder,
      parameters: ["--short"],
      environment: { PACKHOUSE_TEST_FUZZ_SECONDS: "5" },
    }),
  );
} catch (error) {
  counts.push(couldNotRun(error));
} finally {
  await rm(folder, { recursive: true, force: true });
}
process.exitCode = summarize(counts);
