import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { pythonClientsFolder } from "./python-clients.ts";

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

/** Runs twine without any configuration of the machine; it shows what the server says only when it is asked to. */
export function twine(...parameters: string[]): Promise<Output> {
  return run(python, ["-m", "twine", ...parameters, "--verbose", "--non-interactive", "--disable-progress-bar"], {
    env: {
      ...process.env,
      PYTHONPATH: pythonClientsFolder,
      TWINE_CONFIG_FILE: "/dev/null",
      NO_COLOR: "1",
      COLUMNS: "400",
    },
  });
}

/** Runs uv without any configuration or cache of the machine, with Debian's Python. */
export function uv(...parameters: string[]): Promise<Output> {
  const settled = ["--no-config", "--no-cache", "--no-python-downloads"];
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith("UV_"));
  return run(join(pythonClientsFolder, "bin/uv"), [...parameters, ...settled], {
    env: { ...Object.fromEntries(own), UV_PYTHON: python, NO_COLOR: "1" },
  });
}

/** Runs curl, which fails when the server refuses. */
export function curl(...parameters: string[]): Promise<Output> {
  return run("curl", ["--disable", "--silent", "--show-error", "--fail-with-body", ...parameters]);
}
