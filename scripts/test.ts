import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { checkStages } from "./check-stages.ts";
import { provideConsole } from "./console-build.ts";
import { providePrograms } from "./programs.ts";
import { runStage, type Stage, tool } from "./stages.ts";

/** `npm test`: everything, from formatting to real clients. Ends with how many tests passed and failed. */
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
const playwrightReport = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number() }),
});

interface Counts {
  passed: number;
  failed: number;
  /** What failed and why, told again at the very end: of a long output one often keeps only the end. */
  failures: string[];
}

async function vitest(name: string, project: string, folder: string): Promise<Counts> {
  const report = join(folder, `${project}.json`);
  const ok = await runStage({
    name,
    command: tool(
      "vitest",
      "run",
      "--project",
      project,
      "--reporter=default",
      "--reporter=json",
      "--reporter=./e2e/clients/results-table.ts",
      `--outputFile=${report}`,
    ),
  });
  const said = existsSync(report) ? vitestReport.parse(JSON.parse(await readFile(report, "utf8"))) : undefined;
  return countsOf(name, ok, said?.numPassedTests ?? 0, said?.numFailedTests ?? 0, said ? failuresIn(said) : []);
}

/** Each failed test with the beginning of its message; a file that does not load has a message of its own. */
const failuresIn = ({ testResults }: VitestReport): string[] =>
  testResults.flatMap((file) => [
    ...(file.message === "" ? [] : [`${file.name}: ${file.message.slice(0, 600)}`]),
    ...file.assertionResults
      .filter((test) => test.status === "failed")
      .map((test) => `${file.name}: ${test.fullName}\n  ${(test.failureMessages ?? []).join("\n").slice(0, 600)}`),
  ]);

async function playwright(folder: string): Promise<Counts> {
  const report = join(folder, "browser.json");
  const ok = await runStage({
    name: "browser tests",
    command: tool("playwright", "test", "-c", "e2e", "--reporter=list,json"),
    environment: { PLAYWRIGHT_JSON_OUTPUT_NAME: report },
  });
  const stats = existsSync(report)
    ? playwrightReport.parse(JSON.parse(await readFile(report, "utf8"))).stats
    : undefined;
  return countsOf("browser tests", ok, (stats?.expected ?? 0) + (stats?.flaky ?? 0), stats?.unexpected ?? 0);
}

/** A runner that fails without a failed test (it could not start, a file does not load) counts as one. */
const countsOf = (name: string, ok: boolean, passed: number, failed: number, failures: string[] = []): Counts => ({
  passed,
  failed: ok ? failed : Math.max(failed, 1),
  failures: ok || failures.length > 0 ? failures : [`${name}, as said above`],
});

async function stage(one: Stage): Promise<Counts> {
  const ok = await runStage(one);
  return countsOf(one.name, ok, ok ? 1 : 0, ok ? 0 : 1);
}

const folder = await mkdtemp(join(tmpdir(), "packhouse-reports-"));
const counts: Counts[] = [];
try {
  await providePrograms();
  for (const check of checkStages) counts.push(await stage(check));
  counts.push(await vitest("unit tests", "unit", folder));
  counts.push(await vitest("API tests", "api", folder));
  await provideConsole();
  counts.push(await vitest("real clients", "clients", folder));
  counts.push(await playwright(folder));
} catch (error) {
  counts.push({ passed: 0, failed: 1, failures: [error instanceof Error ? error.message : String(error)] });
} finally {
  await rm(folder, { recursive: true, force: true });
}
const sum = (part: "passed" | "failed") => counts.reduce((total, one) => total + one[part], 0);
for (const failure of counts.flatMap(({ failures }) => failures)) process.stdout.write(`\nFAILED ${failure}\n`);
process.stdout.write(`\n${sum("passed")} passed, ${sum("failed")} failed\n`);
process.exitCode = sum("failed") === 0 ? 0 : 1;
