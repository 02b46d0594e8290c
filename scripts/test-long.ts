import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { allPypiPrograms, providePrograms } from "./programs.ts";
import { project } from "./stages.ts";
import { provideTemporaryFolder } from "./temporary-folder.ts";
import { attacks, type Counts, couldNotRun, playwright, stage, summarize, vitest } from "./test-runs.ts";
import { provideTestedBuilds } from "./tested-builds.ts";

/**
 * `npm run test:long -- [word]`: what takes longer than `npm test` may, one after another, or those whose name has the
 * word in it. Ends with how many tests passed and failed.
 */
type LongTest = (name: string, folder: string) => Promise<Counts>;

const longForm = { PACKHOUSE_TEST_LONG: "1" };

/** Tests of these files, with what makes them longer. */
const vitestOn =
  (project: string, files: readonly string[], environment: Record<string, string>): LongTest =>
  (name, folder) =>
    vitest({ name, project, folder, files, environment });

/** All tests of the API. */
const apiOn = (backends: string): LongTest => vitestOn("api", [], { ...longForm, PACKHOUSE_TEST_ON: backends });

/** All tests of clients, and of the running product, but the faults. */
function clientTests(): Record<string, LongTest> {
  const ofTheirOwn = {
    "kills and signals": ["killed-", "npm-start"],
    "what clients get": ["impact"],
    "moved and exported folder": ["exported-folder", "moved"],
  };
  const clients = join(project, "e2e/clients");
  const isElsewhere = (file: string) =>
    ["faults", ...Object.values(ofTheirOwn).flat()].some((name) => basename(file).startsWith(name));
  const others = readdirSync(clients, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".test.ts") && !isElsewhere(file),
  );
  return {
    "real clients": vitestOn(
      "clients",
      others.map((file) => `e2e/clients/${file}`),
      longForm,
    ),
    ...Object.fromEntries(
      Object.entries(ofTheirOwn).map(([name, files]) => [
        name,
        vitestOn(
          "clients",
          files.map((file) => `/${file}`),
          longForm,
        ),
      ]),
    ),
  };
}

const longTests: Record<string, LongTest> = {
  "API on embedded+folder": apiOn("embedded+folder"),
  "API on server+folder": apiOn("server+folder"),
  "API on embedded+bucket": apiOn("embedded+bucket"),
  "API on server+bucket": apiOn("server+bucket"),
  attacks: (name, folder) => attacks({ name, folder }),
  "made-up calls and uploads": (name, folder) =>
    attacks({
      name,
      folder,
      parameters: ["made up"],
      environment: {
        PACKHOUSE_TEST_FUZZ_SECONDS: "900",
        PACKHOUSE_TEST_FUZZ_SEED: String(Math.floor(Math.random() * 1_000_000)),
      },
    }),
  ...clientTests(),
  "browser tests": async (name, folder) => {
    await provideTestedBuilds();
    return playwright({ name, folder, environment: longForm });
  },
  "garbage requests": vitestOn("api", ["server/testing/hostile-input/garbage"], { PACKHOUSE_FUZZ_FACTOR: "12" }),
  "embedded database": vitestOn("unit", ["server/platform/db/embedded"], longForm),
  "hostile and broken archives": vitestOn(
    "unit",
    ["server/features/review/hostile-archives", "inspection/r/hostile-code", "fixtures/build-broken"],
    longForm,
  ),
  "builds of console and server": vitestOn("unit", ["scripts/first-builds"], longForm),
  "lists, texts and archives": vitestOn(
    "api",
    ["server/testing/lists", "server/testing/hostile-input/overlong", "server/features/submissions/upload.api"],
    longForm,
  ),
  "visible events": vitestOn("api", ["server/testing/authorization/event-visibility"], longForm),
  "growth of time": vitestOn("unit", ["formats/growth"], { PACKHOUSE_FUZZ_FACTOR: "1" }),
  "regular expressions": (name) =>
    stage({ name, command: [process.execPath, "scripts/rules/regular-expressions.ts", "--all"] }),
  "1,000 faults": vitestOn("clients", ["e2e/clients/long/faults"], {
    ...longForm,
    PACKHOUSE_TEST_FAULTS: "1000",
    PACKHOUSE_TEST_FAULT_SEED: String(Math.floor(Math.random() * 1_000_000)),
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
  await providePrograms(allPypiPrograms);
  for (const [name, run] of chosen) {
    const its = await run(name, folder);
    counts.push(its);
    lines.push(`${name}: ${its.passed} passed, ${its.failed} failed`);
  }
} catch (error) {
  counts.push(couldNotRun(error));
}
process.stdout.write(`\n${lines.join("\n")}\n`);
process.exitCode = summarize(counts);
