import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { keepCompiled } from "./compiled.ts";
import { productEnvironment } from "./product-program.ts";

const project = resolve(import.meta.dirname, "../../..");

/** The processes of `npm start`, from the outermost to the innermost. */
export type Part = "npm" | "shell" | "launcher" | "start" | "server" | "database";

export interface StartedByNpm {
  npm: ChildProcess;
  /** The output so far. */
  output(): string;
  /** The currently running processes. */
  parts(): Partial<Record<Part, number>>;
  /** Resolves when npm has ended. */
  ended: Promise<number | null>;
}

/** `npm start` as run by a supervisor: in its own session, with its output collected. */
export function startByNpm(environment: Record<string, string | undefined>): StartedByNpm {
  const npm = spawn("npm", ["start"], {
    cwd: project,
    env: { ...productEnvironment(), ...keepCompiled, ...environment },
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [npm.stdout, npm.stderr])
    stream.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
  return {
    npm,
    output: () => output,
    parts: () => partsOf(npm.pid ?? 0, environment.PACKHOUSE_DATA_DIR ?? ""),
    ended: new Promise((done) => npm.once("exit", (code) => done(code))),
  };
}

function partsOf(npm: number, dataDir: string): Partial<Record<Part, number>> {
  const found: Partial<Record<Part, number>> = isAlive(npm) ? { npm } : {};
  for (const pid of descendants(npm)) {
    const words = commandOf(pid);
    if (words.includes("server/dist/packhouse.js")) found.server = pid;
    else if (words.includes("with-node24.mjs") && words.startsWith("sh ")) found.shell = pid;
    else if (words.includes("with-node24.mjs")) found.launcher = pid;
    else if (words.includes("scripts/start.ts")) found.start = pid;
  }
  const database = readPid(join(dataDir, "database/postmaster.pid"));
  if (database !== undefined && isAlive(database)) found.database = database;
  return found;
}

function readPid(file: string): number | undefined {
  if (!existsSync(file)) return undefined;
  const pid = Number.parseInt(readFileSync(file, "utf8"), 10);
  return pid > 1 ? pid : undefined;
}

/**
 * A process that has ended and was not yet collected by its parent is no longer alive, but while threads of it are left
 * it holds its connections and its port.
 */
export function isAlive(pid: number): boolean {
  const its = stateOf(pid);
  return its !== undefined && (its.state !== "Z" || its.threads > 1);
}

function descendants(pid: number): number[] {
  const parents = new Map(
    readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map((name) => [Number(name), stateOf(Number(name))?.parent]),
  );
  const below = (parent: number): number[] =>
    [...parents].filter(([, its]) => its === parent).flatMap(([child]) => [child, ...below(child)]);
  return below(pid);
}

function stateOf(pid: number): { state: string; parent: number; threads: number } | undefined {
  try {
    // The name of the program is in parentheses and may contain anything.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    const [state = "", parent = "0"] = fields;
    return { state, parent: Number(parent), threads: Number(fields[17]) };
  } catch {
    return undefined; // it has ended
  }
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return "";
  }
}

/** The folder of the socket, as PostgreSQL wrote it. */
export async function socketFolderOf(dataDir: string): Promise<string> {
  const [, , , , folder = ""] = (await readFile(join(dataDir, "database/postmaster.pid"), "utf8")).split("\n");
  return folder;
}
