import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { productVersion } from "../../platform/product-version.ts";
import { StorageUnavailable } from "../../platform/storage/storage.ts";
import { packhouseCommand } from "../../testing/programs/command-line.ts";
import { commandLinePage } from "../command-line-page.ts";
import { commands } from "../commands.ts";
import { argument, type CommandIo, command, flag, option } from "./command.ts";
import { runCommandLine } from "./command-line.ts";

const run = promisify(execFile);
/** Each test starts a process that loads the whole server. */
const slow = 120_000;

const project = resolve(import.meta.dirname, "../../..");

async function ran(words: readonly string[], some = commands) {
  const out: string[] = [];
  const err: string[] = [];
  const io: CommandIo = {
    environment: {},
    input: process.stdin,
    print: (line) => out.push(line),
    note: (line) => err.push(line),
  };
  return { code: await runCommandLine(some, words, io), out: out.join("\n"), err: err.join("\n") };
}

describe("the command line", () => {
  test("lists every command, and explains each", async () => {
    const { code, out } = await ran(["--help"]);
    expect(code).toBe(0);
    expect(await ran([])).toEqual({ code: 0, out, err: "" });
    for (const { name, summary, options } of commands) {
      expect(out).toContain(summary);
      const help = await ran([...name.split(" "), "--help"]);
      expect([help.code, help.err]).toEqual([0, ""]);
      expect(help.out).toContain(`Usage: packhouse ${name}`);
      for (const option of Object.keys(options)) expect(help.out).toContain(`--${option}`);
    }
    expect((await ran(["admin"])).out).toContain("admin create");
    expect((await ran(["admin"])).out).not.toContain("sessions end-all");
  });

  test.each([
    [["strat"], "There is no command strat."],
    [["admin", "promote"], "There is no command admin promote."],
    [["start", "--port", "1"], "Unknown option '--port'."],
    [["start", "here"], "here is an unexpected argument."],
    [["admin", "create"], "LOGIN is missing."],
    [["admin", "role", "mara"], "ROLE is missing."],
    [["admin", "role", "mara", "boss"], "ROLE: Invalid option"],
    [["admin", "create", "mara", "--role", "boss"], "--role: Invalid option"],
    [["admin", "create", "mara", "--name"], "Option '--name <value>' argument missing."],
    [["verify", "--deep=yes"], "Option '--deep' does not take an argument."],
    [["--verbose"], "There is no command --verbose."],
  ])("refuses %j in one sentence", async (words, sentence) => {
    const { code, out, err } = await ran(words);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(sentence);
    expect(err.split("\n")).toHaveLength(1);
  });

  test("passes a command its values and returns its exit code", async () => {
    const seen: unknown[] = [];
    const some = command({
      name: "some thing",
      summary: "",
      arguments: { first: argument(z.string(), ""), second: argument(z.coerce.number().optional(), "") },
      options: { loud: flag(""), level: option(z.enum(["low", "high"]).default("low"), "LEVEL", "") },
      async run({ arguments: given, options }) {
        seen.push(given, options);
        return 3;
      },
    });
    expect((await ran(["some", "thing", "a"], [some])).code).toBe(3);
    expect((await ran(["some", "thing", "--loud", "a", "--level=high", "2"], [some])).code).toBe(3);
    expect(seen).toEqual([
      { first: "a", second: undefined },
      { loud: false, level: "low" },
      { first: "a", second: 2 },
      { loud: true, level: "high" },
    ]);
  });

  test("shows the stack of a defect, and exits with 1", async () => {
    const broken = command({
      name: "broken",
      summary: "",
      async run() {
        throw new TypeError("what nobody expected");
      },
    });
    const { code, err } = await ran(["broken"], [broken]);
    expect(code).toBe(1);
    expect(err).toMatch(/TypeError: what nobody expected\n +at /);
  });

  test.each([
    [Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" }), "There is no space left"],
    [new StorageUnavailable("the storage does not answer"), "The storage cannot be reached"],
    [new Error("timeout exceeded when trying to connect"), "The database cannot be reached"],
  ])("reports an outage in one sentence, and exits with 3: %s", async (failure, sentence) => {
    const failing = command({
      name: "failing",
      summary: "",
      async run() {
        throw failure;
      },
    });
    const { code, err } = await ran(["failing"], [failing]);
    expect([code, err.split("\n").length]).toEqual([3, 1]);
    expect(err).toContain(sentence);
    expect(err).toContain(failure.message);
  });

  test("matches its documentation", () => {
    // After a change: node scripts/pages/command-line-page.ts
    expect(readFileSync(join(project, "docs/command-line.md"), "utf8")).toBe(commandLinePage());
  });
});

const installed = existsSync(join(project, "node_modules/.packhouse-installed"));
if (!installed) process.stdout.write("bin/packhouse is not tried: it would install this copy of the project first.\n");

describe("the program", () => {
  test.runIf(installed)(
    "runs from any folder and through a link",
    async () => {
      const folder = await mkdtemp(join(tmpdir(), "packhouse-elsewhere-"));
      try {
        await symlink(join(project, "bin/packhouse"), join(folder, "packhouse"));
        const { stdout } = await run(process.execPath, [join(folder, "packhouse"), "--version"], { cwd: folder });
        expect(stdout).toBe(`${productVersion}\n`);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
    slow,
  );

  test(
    "creates nothing in an empty folder",
    async () => {
      const folder = await mkdtemp(join(tmpdir(), "packhouse-elsewhere-"));
      try {
        const { code, out, err } = await packhouseCommand(["admin", "list"], { folder });
        expect([code, out]).toEqual([2, ""]);
        expect(err).toContain(`There is no installation in ${join(folder, "data")}`);
        expect(existsSync(join(folder, "data"))).toBe(false);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
    slow,
  );

  test(
    "names a wrong setting, but not its value",
    async () => {
      const { code, err } = await packhouseCommand(["verify"], { environment: { PACKHOUSE_PORT: "secret-value" } });
      expect(code).toBe(2);
      expect(err).toContain("PACKHOUSE_PORT (port)");
      expect(err).not.toContain("secret-value");
    },
    slow,
  );
});
