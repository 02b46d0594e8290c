import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

export interface Output {
  stdout: string;
  stderr: string;
}

/** Debian's own Python: another one on the machine may be configured to serve what our server did not. */
const python = "/usr/bin/python3";

/** Runs pip without any configuration of the machine; `arguments_` follow the subcommand. */
export function pip(...parameters: string[]): Promise<Output> {
  return run(python, ["-m", "pip", "--isolated", "--disable-pip-version-check", "--no-cache-dir", ...parameters], {
    env: { ...withoutPip(process.env), PIP_CONFIG_FILE: "/dev/null" },
    maxBuffer: 64 * 1024 * 1024,
  });
}

const withoutPip = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith("PIP_")));

/** Runs R code in a session without profiles; what it prints by `cat` is the output. */
export function r(code: string, environment: Record<string, string> = {}): Promise<Output> {
  return run("Rscript", ["--vanilla", "-e", code], {
    env: { ...process.env, ...environment },
    maxBuffer: 64 * 1024 * 1024,
  });
}
