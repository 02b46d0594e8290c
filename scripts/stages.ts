import { spawn } from "node:child_process";
import { join, resolve } from "node:path";

export const project = resolve(import.meta.dirname, "..");

/** One step of a check, run as a program of its own. */
export interface Stage {
  name: string;
  command: readonly string[];
  environment?: Record<string, string>;
  output?: Output;
}

type Output = "shown" | "at the end";

/** A program that a dependency installed, run by this Node. */
export const tool = (name: string, ...parameters: string[]): string[] => [
  join(project, "node_modules/.bin", name),
  ...parameters,
];

/** Runs a stage with its output shown, at its end where others run at the same time; false when it fails. */
export async function runStage({ name, command, environment, output = "shown" }: Stage): Promise<boolean> {
  const started = Date.now();
  process.stdout.write(`\n── ${name}${output === "shown" ? "" : " (its output follows at its end)"}\n`);
  const code = await ended(command, { environment, output });
  process.stdout.write(
    `── ${name}: ${code === 0 ? "passed" : "FAILED"} in ${((Date.now() - started) / 1000).toFixed(1)} s\n`,
  );
  return code === 0;
}

/** Runs a program to its end, or ends it at the signal, and gives its exit code; 127 when it cannot be started. */
export function ended(
  command: readonly string[],
  {
    environment = {},
    signal,
    output = "shown",
  }: { environment?: Record<string, string> | undefined; signal?: AbortSignal | undefined; output?: Output } = {},
): Promise<number> {
  const [program = "", ...parameters] = command;
  return new Promise((done) => {
    const stream = output === "shown" ? "inherit" : "pipe";
    const child = spawn(program, parameters, {
      cwd: project,
      env: { ...process.env, ...environment },
      stdio: ["ignore", stream, stream],
      ...(signal ? { signal } : {}),
    });
    const kept: Buffer[] = [];
    for (const from of [child.stdout, child.stderr]) from?.on("data", (chunk: Buffer) => kept.push(chunk));
    child.on("error", () => done(127));
    child.on("close", (code) => {
      for (const chunk of kept) process.stdout.write(chunk);
      done(code ?? 1);
    });
  });
}
