import { mkdir, mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { r } from "./programs.ts";

/** The R of this machine, such as 4.2 for x86_64. */
export async function ownR(): Promise<{ rVersion: string; architecture: string }> {
  const { stdout } = await r(`cat(format(getRversion()[, 1:2]), R.version$arch)`);
  const [rVersion = "", architecture = ""] = stdout.split(" ");
  return { rVersion, architecture };
}

/** A source package with compiled code or without, and the binary that this machine's R builds from it. */
export async function buildWithR(scratch: string, name: string, version: string, compiled: boolean) {
  const folder = join(await mkdtemp(join(scratch, "build-")), name);
  const files: Record<string, string> = {
    DESCRIPTION: `Package: ${name}\nVersion: ${version}\nTitle: Tides\nAuthor: M\nMaintainer: M <m@example.org>\nDescription: Tables.\nLicense: GPL-3\n`,
    NAMESPACE: `export(tide)\n${compiled ? `useDynLib(${name})\n` : ""}`,
    "R/tide.R": compiled ? `tide <- function() .Call("tide", PACKAGE = "${name}")\n` : "tide <- function() 42L\n",
    ...(compiled
      ? { "src/tide.c": "#include <Rinternals.h>\nSEXP tide(void) { return Rf_ScalarInteger(42); }\n" }
      : {}),
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(folder, path, ".."), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  const out = await mkdtemp(join(scratch, "out-"));
  const library = await mkdtemp(join(scratch, "library-"));
  await r(`
    setwd("${out}")
    R <- file.path(R.home("bin"), "R")
    quiet <- function(...) if (system2(R, c("CMD", ...), stdout = FALSE, stderr = FALSE) != 0) quit(status = 1)
    quiet("build", "--no-manual", "${folder}")
    quiet("INSTALL", "--build", "-l", "${library}", "${name}_${version}.tar.gz")`);
  const names = await readdir(out);
  const file = async (fileName = "") => ({ fileName, bytes: await readFile(join(out, fileName)) });
  return {
    source: await file(names.find((one) => !one.includes("_R_"))),
    binary: await file(names.find((one) => one.includes("_R_"))),
  };
}

/** R needs this option: its default agent names neither its version nor its processor. */
export const agent = `options(HTTPUserAgent = sprintf("R/%s R (%s)", getRversion(), paste(getRversion(), R.version["platform"], R.version["arch"], R.version["os"])))`;
