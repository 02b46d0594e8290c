import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { folderOf } from "./pypi-programs.ts";

const run = promisify(execFile);

export interface Output {
  stdout: string;
  stderr: string;
}

/** Debian's own Python: another one on the machine may be configured to serve what our server did not. */
const python = "/usr/bin/python3";

/** Runs Debian's pip, which is older than metadata of their own for wheels, without any configuration of the machine. */
export const debianPip = (...parameters: string[]): Promise<Output> => isolatedPip({}, parameters);

/** Runs a pip of these days without any configuration of the machine. */
export const pip = (...parameters: string[]): Promise<Output> =>
  isolatedPip({ PYTHONPATH: folderOf("pip") }, parameters);

/**
 * Runs several commands of that pip in one process, because starting it takes longer than most commands. Each writes
 * its output to a file of its own; returns which of them succeeded.
 */
export async function pipEach(commands: readonly (readonly string[])[]): Promise<boolean[]> {
  const driver = `import json, sys
from pip._internal.cli.main import main
print(json.dumps([main(command) == 0 for command in json.load(sys.stdin)]))`;
  const child = run(python, ["-c", driver], {
    env: { ...withoutPip(process.env), PIP_CONFIG_FILE: "/dev/null", PYTHONPATH: folderOf("pip") },
    maxBuffer: 64 * 1024 * 1024,
  });
  child.child.stdin?.end(JSON.stringify(commands.map((command) => [...isolated, ...command])));
  return z.array(z.boolean()).parse(JSON.parse((await child).stdout));
}

const isolated = ["--isolated", "--disable-pip-version-check", "--no-cache-dir"];

function isolatedPip(environment: Record<string, string>, parameters: string[]): Promise<Output> {
  return run(python, ["-m", "pip", ...isolated, ...parameters], {
    env: { ...withoutPip(process.env), PIP_CONFIG_FILE: "/dev/null", ...environment },
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
      PYTHONPATH: folderOf("twine"),
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
  return run(join(folderOf("uv"), "bin/uv"), [...parameters, ...settled], {
    env: { ...Object.fromEntries(own), UV_PYTHON: python, NO_COLOR: "1" },
  });
}

/** Clients that keep a project with a lock. */
export type ProjectClient = "uv" | "poetry" | "pdm";

/** Poetry's pip would take poetry's own packages for the project's, if PYTHONPATH named them. */
const startOf: Record<ProjectClient, [string, ...string[]]> = {
  uv: [join(folderOf("uv"), "bin/uv")],
  poetry: [
    python,
    "-c",
    `import runpy, sys; sys.path.insert(0, "${folderOf("poetry")}"); runpy.run_module("poetry", run_name="__main__")`,
  ],
  pdm: [python, "-m", "pdm"],
};

/** Runs one of them in the folder of a project, which is its home as well: no configuration or cache from elsewhere. */
export function inProject(
  client: ProjectClient,
  folder: string,
  parameters: readonly string[],
  environment: Record<string, string> = {},
): Promise<Output> {
  const [program, ...first] = startOf[client];
  return run(program, [...first, ...parameters], {
    cwd: folder,
    env: {
      PATH: "/usr/bin:/bin",
      HOME: folder,
      NO_COLOR: "1",
      PYTHONWARNINGS: "ignore",
      ...(client === "pdm" ? { PYTHONPATH: folderOf(client) } : {}),
      UV_PYTHON: python,
      UV_PYTHON_DOWNLOADS: "never",
      POETRY_VIRTUALENVS_IN_PROJECT: "true",
      POETRY_NO_INTERACTION: "1",
      PYTHON_KEYRING_BACKEND: "keyring.backends.null.Keyring",
      PDM_CHECK_UPDATE: "0",
      PDM_NON_INTERACTIVE: "1",
      ...environment,
    },
  });
}

/** Runs curl, which fails when the server refuses. */
export function curl(...parameters: string[]): Promise<Output> {
  return run("curl", ["--disable", "--silent", "--show-error", "--fail-with-body", ...parameters]);
}
