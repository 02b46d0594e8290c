import { type ChildProcess, spawn } from "node:child_process";
import { setPriority } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";

export const project = resolve(import.meta.dirname, "..");

/** One step of a check, run as a program of its own. */
export interface Stage {
  name: string;
  command: readonly string[];
  environment?: Record<string, string>;
  /** `named`: each line begins with the name of the stage, because others run at the same time. */
  output?: "shown" | "named";
  /** Whether others that run at the same time come first. */
  yields?: boolean;
}

/** A program that a dependency installed, run by this Node. */
export const tool = (name: string, ...parameters: string[]): string[] => [
  join(project, "node_modules/.bin", name),
  ...parameters,
];

/** Runs a stage and shows its output; false when it fails. */
export async function runStage({
  name,
  command,
  environment,
  output = "shown",
  yields = false,
}: Stage): Promise<boolean> {
  const started = Date.now();
  process.stdout.write(`\n── ${name}\n`);
  const code = await ended(command, { environment, yields, ...(output === "named" ? { named: name } : {}) });
  process.stdout.write(
    `── ${name}: ${code === 0 ? "passed" : "FAILED"} in ${((Date.now() - started) / 1000).toFixed(1)} s\n`,
  );
  return code === 0;
}

/** As a priority of a process: gets a third of what others get. With the least one, 19, it would never end next to them. */
const lowPriority = 5;

const running = new Set<ChildProcess>();
let interrupted = false;

/** Ends the programs that run now, and waits for them. No others are started. */
export async function endAll(): Promise<void> {
  interrupted = true;
  await Promise.all(
    [...running].map((child) => {
      const closed = new Promise((done) => child.once("close", done));
      child.kill();
      return closed;
    }),
  );
}

interface RunOptions {
  environment?: Record<string, string> | undefined;
  signal?: AbortSignal | undefined;
  /** What each line of its output begins with. */
  named?: string;
  yields?: boolean;
}

/** Runs a program to its end, or ends it at the signal, and gives its exit code; 127 when it cannot be started. */
export function ended(
  command: readonly string[],
  { environment = {}, signal, named, yields = false }: RunOptions = {},
): Promise<number> {
  if (interrupted) return Promise.reject(new Error("The run was interrupted."));
  const [program = "", ...parameters] = command;
  return new Promise((done) => {
    const stream = named === undefined ? "inherit" : "pipe";
    const child = spawn(program, parameters, {
      cwd: project,
      env: { ...process.env, ...environment },
      stdio: ["ignore", stream, stream],
      ...(signal ? { signal } : {}),
    });
    running.add(child);
    if (yields && child.pid !== undefined) setPriority(child.pid, lowPriority);
    if (named !== undefined) for (const from of [child.stdout, child.stderr]) if (from) showLines(from, named);
    child.on("error", () => done(127));
    child.on("close", (code) => {
      running.delete(child);
      done(code ?? 1);
    });
  });
}

function showLines(from: Readable, name: string): void {
  createInterface({ input: from }).on("line", (line) => {
    if (line.trim() !== "") process.stdout.write(`${name}: ${line}\n`);
  });
}
