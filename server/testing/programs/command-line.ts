import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import { keepCompiled } from "./compiled.ts";
import { productProgram } from "./product-program.ts";

const projectFolder = resolve(import.meta.dirname, "../../..");

export interface Ended {
  code: number | null;
  out: string;
  err: string;
}

export interface CommandOptions {
  environment?: Record<string, string>;
  input?: string;
  /** Working directory. */
  folder?: string;
  /** The program, with its path from the project; that of the tests unless given. */
  program?: string;
}

/** Runs the program `packhouse` to its end, as an operator does. */
export async function packhouseCommand(parameters: readonly string[], options: CommandOptions = {}): Promise<Ended> {
  const { environment = {}, input = "", folder = projectFolder, program = productProgram() } = options;
  const child = spawn(process.execPath, [resolve(projectFolder, program), ...parameters], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...keepCompiled, ...environment },
  });
  child.stdin.on("error", () => {}); // it may end without reading
  child.stdin.end(input);
  const [out, err, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((ended) => child.once("close", ended)),
  ]);
  return { code, out, err };
}
