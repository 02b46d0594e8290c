import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Reporter, TestCase, TestModule } from "vitest/node";
import { pypiPrograms } from "./pypi-programs.ts";

/** What clients do with a repository, as the columns of the table. */
const operations = [
  "list",
  "install",
  "old version",
  "download",
  "lock, restore",
  "metadata only",
  "upload",
  "private",
  "snapshot",
  "binaries",
] as const;
type Operation = (typeof operations)[number];

/** The rows, with the version of each or the program that prints it; renv and pak cannot be installed for the tests. */
const clients = {
  R: ["Rscript", "--version"],
  remotes: ["Rscript", "-e", "cat(format(packageVersion('remotes')))"],
  renv: "",
  pak: "",
  pip: pypiPrograms.pip,
  "Debian's pip": ["/usr/bin/python3", "-m", "pip", "--version"],
  uv: pypiPrograms.uv,
  poetry: pypiPrograms.poetry,
  pdm: pypiPrograms.pdm,
  twine: pypiPrograms.twine,
  curl: ["curl", "--version"],
} as const satisfies Record<string, string | readonly string[]>;
type Client = keyof typeof clients;
export type Cell = readonly [Client, Operation];

declare module "vitest" {
  interface TaskMeta {
    proves?: readonly Cell[];
    /** The test asks what the client would ask; the client itself does not run. */
    replayed?: boolean;
  }
}

/** A client takes seconds to start, and far longer on a busy machine. */
const timeout = 300_000;

/** Options of a test that runs real clients: its result is the result of these cells. */
export const proves = (...cells: Cell[]) => ({ timeout, meta: { proves: cells } });

/** Options of a test that sends the requests which the client is known to send. */
export const replays = (...cells: Cell[]) => ({ timeout, meta: { proves: cells, replayed: true } });

/** Prints the result of each client and operation. A cell knows nothing but the results of the tests that name it. */
// biome-ignore lint/style/noDefaultExport: Vitest loads a reporter by its default export.
export default class ResultsTable implements Reporter {
  async onTestRunEnd(modules: readonly TestModule[]): Promise<void> {
    const tests = modules.flatMap((module) => [...module.children.allTests()]).filter((test) => test.meta().proves);
    if (tests.length === 0) return;
    const rows = await Promise.all(
      (Object.keys(clients) as Client[]).map(async (client) => [
        client,
        await versionOf(client),
        ...operations.map((operation) => resultOf(tests.filter((test) => isAbout(test, client, operation)))),
      ]),
    );
    process.stdout.write(`\n${lines([["client", "version", ...operations], ...rows])}\n`);
  }
}

const isAbout = (test: TestCase, client: Client, operation: Operation): boolean =>
  test.meta().proves?.some((cell) => cell[0] === client && cell[1] === operation) === true;

function resultOf(tests: readonly TestCase[]): string {
  if (tests.some(hasFailed)) return "failed";
  const passed = tests.filter((test) => test.result().state === "passed");
  if (passed.length === 0) return "–";
  return passed.every((test) => test.meta().replayed) ? "replayed" : "ok";
}

/** A test whose set-up failed did not run, and Vitest calls it skipped. */
const hasFailed = (test: TestCase): boolean => {
  const { state } = test.result();
  if (state !== "skipped") return state !== "passed";
  return [test.module, test.parent].some((holder) => holder.errors().length > 0);
};

async function versionOf(client: Client): Promise<string> {
  const known = clients[client];
  if (typeof known === "string") return known;
  const [program, ...parameters] = known;
  try {
    const { stdout, stderr } = await promisify(execFile)(program, parameters);
    return /\d+(\.\d+)+/.exec(stdout + stderr)?.[0] ?? "?";
  } catch {
    return "missing"; // its cells say that nothing ran
  }
}

function lines(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_title, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows
    .map((row) =>
      row
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
