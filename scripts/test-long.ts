import { provideConsole } from "./console-build.ts";
import { providePrograms } from "./programs.ts";
import { provideTemporaryFolder } from "./temporary-folder.ts";
import { attacks, type Counts, couldNotRun, playwright, summarize, vitest } from "./test-runs.ts";

/**
 * `npm run test:long -- [word]`: what takes longer than `npm test` may, one after another, or those whose name has the
 * word in it. Ends with how many tests passed and failed.
 */
type LongTest = (folder: string) => Promise<Counts>;

/** All tests of the API on other backends than those of `npm test`. */
const apiOn =
  (backends: string): LongTest =>
  (folder) =>
    vitest({ name: `API on ${backends}`, project: "api", folder, environment: { PACKHOUSE_TEST_ON: backends } });

const longTests: Record<string, LongTest> = {
  "API on server+folder": apiOn("server+folder"),
  "API on embedded+bucket": apiOn("embedded+bucket"),
  "API on server+bucket": apiOn("server+bucket"),
  attacks: (folder) => attacks({ name: "attacks", folder }),
  "made-up calls and uploads": (folder) =>
    attacks({
      name: "made-up calls and uploads",
      folder,
      parameters: ["made up"],
      environment: {
        PACKHOUSE_TEST_FUZZ_SECONDS: "900",
        PACKHOUSE_TEST_FUZZ_SEED: String(Math.floor(Math.random() * 1_000_000)),
      },
    }),
  "kills and signals": (folder) =>
    vitest({
      name: "kills and signals",
      project: "clients",
      folder,
      files: ["e2e/clients/killed-", "e2e/clients/npm-start"],
      environment: { PACKHOUSE_TEST_LONG: "1" },
    }),
  "what clients get": (folder) =>
    vitest({
      name: "what clients get",
      project: "clients",
      folder,
      files: ["e2e/clients/impact"],
      environment: { PACKHOUSE_TEST_LONG: "1" },
    }),
  "browser tests": async (folder) => {
    await provideConsole();
    return playwright({ name: "browser tests", folder, environment: { PACKHOUSE_TEST_LONG: "1" } });
  },
  "garbage requests": (folder) =>
    vitest({
      name: "garbage requests",
      project: "api",
      folder,
      files: ["server/testing/garbage"],
      environment: { PACKHOUSE_FUZZ_FACTOR: "5" },
    }),
  "hostile archives": (folder) =>
    vitest({
      name: "hostile archives",
      project: "unit",
      folder,
      files: ["server/features/review/hostile-archives"],
      environment: { PACKHOUSE_TEST_LONG: "1" },
    }),
  "moved and exported folder": (folder) =>
    vitest({
      name: "moved and exported folder",
      project: "clients",
      folder,
      files: ["e2e/clients/exported-folder", "e2e/clients/moved"],
      environment: { PACKHOUSE_TEST_LONG: "1" },
    }),
  "lists, texts and archives": (folder) =>
    vitest({
      name: "lists, texts and archives",
      project: "api",
      folder,
      files: ["server/testing/lists", "server/testing/overlong", "server/features/submissions/upload.api"],
      environment: { PACKHOUSE_TEST_LONG: "1" },
    }),
  "visible events": (folder) =>
    vitest({
      name: "visible events",
      project: "api",
      folder,
      files: ["server/testing/authorization/event-visibility"],
      environment: { PACKHOUSE_TEST_LONG: "1" },
    }),
  "growth of time": (folder) =>
    vitest({
      name: "growth of time",
      project: "unit",
      folder,
      files: ["formats/growth"],
      environment: { PACKHOUSE_FUZZ_FACTOR: "1" },
    }),
  "1,000 faults": (folder) =>
    vitest({
      name: "1,000 faults",
      project: "clients",
      folder,
      files: ["e2e/clients/faults"],
      environment: {
        PACKHOUSE_TEST_FAULTS: "1000",
        PACKHOUSE_TEST_FAULT_SEED: String(Math.floor(Math.random() * 1_000_000)),
      },
    }),
};

const [word = ""] = process.argv.slice(2);
const chosen = Object.entries(longTests).filter(([name]) => name.includes(word));
const folder = provideTemporaryFolder();
const counts: Counts[] = [];
const lines: string[] = [];
try {
  if (chosen.length === 0)
    throw new Error(`No long test has "${word}" in its name: ${Object.keys(longTests).join(", ")}`);
  await providePrograms();
  for (const [name, run] of chosen) {
    const its = await run(folder);
    counts.push(its);
    lines.push(`${name}: ${its.passed} passed, ${its.failed} failed`);
  }
} catch (error) {
  counts.push(couldNotRun(error));
}
process.stdout.write(`\n${lines.join("\n")}\n`);
process.exitCode = summarize(counts);
