import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { project, runStage, type Stage, tool } from "./stages.ts";

/** The results of a run of tests. */
export interface Counts {
  passed: number;
  failed: number;
  /** What failed and why, repeated at the very end, because often only the end of a long output is kept. */
  failures: string[];
}

const vitestReport = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      message: z.string(),
      assertionResults: z.array(
        z.object({ fullName: z.string(), status: z.string(), failureMessages: z.array(z.string()).nullish() }),
      ),
    }),
  ),
});
type VitestReport = z.infer<typeof vitestReport>;
const playwrightSuite = z.object({
  specs: z.array(
    z.object({
      title: z.string(),
      ok: z.boolean(),
      file: z.string(),
      tests: z.array(
        z.object({ results: z.array(z.object({ errors: z.array(z.object({ message: z.string().optional() })) })) }),
      ),
    }),
  ),
  get suites() {
    return z.array(playwrightSuite).optional();
  },
});
type PlaywrightSuite = z.infer<typeof playwrightSuite>;
const playwrightReport = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number() }),
  suites: z.array(playwrightSuite),
});

/** What a runner has written; undefined if it ended before that. */
const readReport = async <Report>(path: string, schema: z.ZodType<Report>): Promise<Report | undefined> =>
  existsSync(path) ? schema.parse(JSON.parse(await readFile(path, "utf8"))) : undefined;

const reportPath = (folder: string, name: string): string => join(folder, `${name.replaceAll(/\W+/g, "-")}.json`);

export interface VitestRun {
  name: string;
  project: string;
  /** Where its report is written. */
  folder: string;
  /** Beginnings of paths; all of the project unless given. */
  files?: readonly string[];
  environment?: Record<string, string>;
  yields?: Stage["yields"];
}

export async function vitest({
  name,
  project,
  folder,
  files = [],
  environment = {},
  yields = false,
}: VitestRun): Promise<Counts> {
  const report = reportPath(folder, name);
  const reporters = ["default", "json", "./e2e/clients/results-table.ts"].map((reporter) => `--reporter=${reporter}`);
  const ok = await runStage({
    name,
    command: tool("vitest", "run", "--project", project, ...files, ...reporters, `--outputFile=${report}`),
    environment,
    yields,
  });
  const results = await readReport(report, vitestReport);
  return countsOf(
    name,
    ok,
    results && { passed: results.numPassedTests, failed: results.numFailedTests, failures: failuresIn(results) },
  );
}

/** Each failed test with the beginning of its message; a file that does not load has a message of its own. */
const failuresIn = ({ testResults }: VitestReport): string[] =>
  testResults.flatMap((file) => [
    ...(file.message === "" ? [] : [`${file.name}: ${file.message.slice(0, 600)}`]),
    ...file.assertionResults
      .filter((test) => test.status === "failed")
      .map((test) => `${file.name}: ${test.fullName}\n  ${(test.failureMessages ?? []).join("\n").slice(0, 600)}`),
  ]);

const attackReport = z.object({ passed: z.number(), failed: z.number(), failures: z.array(z.string()) });

export interface AttackRun {
  name: string;
  folder: string;
  parameters?: readonly string[];
  environment?: Record<string, string>;
  output?: Stage["output"];
}

/** Attacks of the started product; each one that it withstands counts as passed. */
export async function attacks({
  name,
  folder,
  parameters = [],
  environment = {},
  output = "shown",
}: AttackRun): Promise<Counts> {
  const report = reportPath(folder, name);
  const ok = await runStage({
    name,
    command: [process.execPath, join(project, "scripts/attack.ts"), ...parameters],
    environment: { ...environment, PACKHOUSE_TEST_ATTACK_REPORT: report },
    output,
  });
  return countsOf(name, ok, await readReport(report, attackReport));
}

export interface PlaywrightRun {
  name: string;
  folder: string;
  environment?: Record<string, string>;
}

export async function playwright({ name, folder, environment = {} }: PlaywrightRun): Promise<Counts> {
  const report = reportPath(folder, name);
  const ok = await runStage({
    name,
    command: tool("playwright", "test", "-c", "e2e", "--reporter=list,json"),
    environment: { ...environment, PLAYWRIGHT_JSON_OUTPUT_NAME: report },
  });
  const results = await readReport(report, playwrightReport);
  return countsOf(
    name,
    ok,
    results && {
      passed: results.stats.expected + results.stats.flaky,
      failed: results.stats.unexpected,
      failures: results.suites.flatMap(failuresOf),
    },
  );
}

const failuresOf = ({ specs, suites = [] }: PlaywrightSuite): string[] => [
  ...specs
    .filter(({ ok }) => !ok)
    .map(({ file, title, tests }) => {
      const errors = tests.flatMap(({ results }) => results.flatMap((result) => result.errors));
      return `${file}: ${title}\n  ${errors.map(({ message = "" }) => message.slice(0, 600)).join("\n  ")}`;
    }),
  ...suites.flatMap(failuresOf),
];

export async function stage(one: Stage): Promise<Counts> {
  const ok = await runStage(one);
  return countsOf(one.name, ok, ok ? { ...noCounts, passed: 1 } : undefined);
}

const noCounts: Counts = { passed: 0, failed: 0, failures: [] };

/** A runner that fails without a failed test (it could not start, a file does not load) counts as one. */
const countsOf = (name: string, ok: boolean, { passed, failed, failures }: Counts = noCounts): Counts => ({
  passed,
  failed: ok ? failed : Math.max(failed, 1),
  failures: ok || failures.length > 0 ? failures : [`${name}: see its output above`],
});

export const couldNotRun = (error: unknown): Counts => ({
  passed: 0,
  failed: 1,
  failures: [error instanceof Error ? error.message : String(error)],
});

/** Prints what failed and how many passed and failed; gives the exit code. */
export function summarize(counts: readonly Counts[]): number {
  const sum = (part: "passed" | "failed") => counts.reduce((total, one) => total + one[part], 0);
  for (const failure of counts.flatMap(({ failures }) => failures)) process.stdout.write(`\nFAILED ${failure}\n`);
  process.stdout.write(`\n${sum("passed")} passed, ${sum("failed")} failed\n`);
  return sum("failed") === 0 ? 0 : 1;
}
