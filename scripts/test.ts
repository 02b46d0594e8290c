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
const vitestReport = z.object({ numPassedTests: z.number(), numFailedTests: z.number() });
const playwrightReport = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number() }),
});

interface Counts {
  passed: number;
  failed: number;
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
      `--outputFile=${report}`,
    ),
  });
  const counts = existsSync(report) ? vitestReport.parse(JSON.parse(await readFile(report, "utf8"))) : undefined;
  return countsOf(ok, counts?.numPassedTests ?? 0, counts?.numFailedTests ?? 0);
}

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
  return countsOf(ok, (stats?.expected ?? 0) + (stats?.flaky ?? 0), stats?.unexpected ?? 0);
}

/** A runner that fails without a failed test (it could not start, a file does not load) counts as one. */
const countsOf = (ok: boolean, passed: number, failed: number): Counts => ({
  passed,
  failed: ok ? failed : Math.max(failed, 1),
});

async function stage(one: Stage): Promise<Counts> {
  return (await runStage(one)) ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
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
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  counts.push({ passed: 0, failed: 1 });
} finally {
  await rm(folder, { recursive: true, force: true });
}
const sum = (part: keyof Counts) => counts.reduce((total, one) => total + one[part], 0);
process.stdout.write(`\n${sum("passed")} passed, ${sum("failed")} failed\n`);
process.exitCode = sum("failed") === 0 ? 0 : 1;
