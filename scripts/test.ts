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
  "server/features/manuals/manuals.api",
  "server/features/mirrors/mirrors.api",
];

const folder = await mkdtemp(join(tmpdir(), "packhouse-reports-"));
const counts: Counts[] = [];
try {
  await providePrograms();
  for (const check of checkStages) counts.push(await stage(check));
  counts.push(await vitest({ name: "unit tests", project: "unit", folder }));
  counts.push(await vitest({ name: "API tests", project: "api", folder }));
  const environment = { PACKHOUSE_TEST_ON: "server+bucket" };
  counts.push(
    await vitest({ name: "API on a PostgreSQL server and S3", project: "api", folder, files: slice, environment }),
  );
  await provideConsole();
  counts.push(await vitest({ name: "real clients", project: "clients", folder }));
  counts.push(await playwright(folder));
  counts.push(
    await attacks({
      name: "attacks",
      folder,
      parameters: ["--short"],
      environment: { PACKHOUSE_TEST_FUZZ_SECONDS: "10" },
    }),
  );
} catch (error) {
  counts.push(couldNotRun(error));
} finally {
  await rm(folder, { recursive: true, force: true });
}
process.exitCode = summarize(counts);
