import { checkStages } from "./check-stages.ts";
import { provideConsole } from "./console-build.ts";
import { providePrograms } from "./programs.ts";
import { provideTemporaryFolder } from "./temporary-folder.ts";
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

const folder = provideTemporaryFolder();
const named = { folder, output: "named" } as const;

type Run = () => Promise<Counts>;

/**
 * The runs of a lane follow each other, and two lanes run at the same time: each waits now and then for a program, a
 * network or a database. A third one would only take processor time from the others.
 */
const lanes: readonly (readonly Run[])[] = [
  [
    () => playwright({ name: "browser tests", ...named }),
    ...checkStages.map((check) => () => stage({ ...check, output: "named" })),
    () => vitest({ name: "unit tests", project: "unit", ...named }),
  ],
  [
    () => vitest({ name: "real clients", project: "clients", ...named }),
    () =>
      vitest({
        name: "API on a PostgreSQL server and S3",
        project: "api",
        files: slice,
        environment: { PACKHOUSE_TEST_ON: "server+bucket" },
        ...named,
      }),
    () => vitest({ name: "API tests", project: "api", ...named }),
  ],
];

async function inTurn(runs: readonly Run[]): Promise<void> {
  for (const run of runs) counts.push(await run());
}

const counts: Counts[] = [];
try {
  await providePrograms();
  await provideConsole();
  await Promise.all(lanes.map(inTurn));
  // They measure how long answers take, so nothing else runs.
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
}
process.exitCode = summarize(counts);
