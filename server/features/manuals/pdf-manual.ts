import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { DocumentationFiles } from "@packhouse/formats/r/manual/documentation-files";
import { createSlots } from "../../platform/jobs/slots.ts";

/** A typeset manual, or why R could not typeset it. */
export type PdfManual = { pdf: Uint8Array } | { failure: string };

/** Builds the PDF of a package's manual from its documentation. */
export type BuildPdf = (files: DocumentationFiles) => Promise<PdfManual>;

const mebibyte = 1024 * 1024;
export const largestPdf = 64 * mebibyte;

/** How PDF manuals are built on this machine, or why they cannot be. */
export type PdfBuilder = { build: BuildPdf } | { missing: string };

/**
 * Tries whether this machine can build PDF manuals. Rd files may contain code that R runs, so R runs
 * only in a sandbox: without network, processes or files of others, and with limits of time, memory and space.
 */
export async function findPdfBuilder(seconds = 60): Promise<PdfBuilder> {
  const probe = await sandboxed([], "command -v pdflatex >&2 && R RHOME", probeSeconds);
  if (probe.code !== 0)
    return { missing: probe.code === undefined ? "bwrap is not installed" : "R, LaTeX or the sandbox does not work" };
  const inTurn = createSlots(1);
  return { build: (files) => inTurn(() => build(files, seconds)) };
}

async function build(files: DocumentationFiles, seconds: number): Promise<PdfManual> {
  const scratch = await mkdtemp(join(tmpdir(), "packhouse-manual-"));
  try {
    await layOut(scratch, files);
    const { code, stdout, stderr } = await sandboxed(["--ro-bind", scratch, "/package"], typeset, seconds);
    if (code === timedOut) return { failure: `it took longer than ${seconds} seconds` };
    return code === 0 ? { pdf: stdout } : { failure: reasonIn(stderr) };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Keeps the package's own names out of the file system: pages are numbered, names of figures were checked before. */
async function layOut(folder: string, { description, pages, macros, figures }: DocumentationFiles): Promise<void> {
  for (const name of ["man", "man/macros", "man/figures"]) await mkdir(join(folder, name), { recursive: true });
  await writeFile(join(folder, "DESCRIPTION"), description);
  const numbered = (all: Iterable<Uint8Array>, place: string) =>
    [...all].map((bytes, index) => writeFile(join(folder, place, `${String(index).padStart(5, "0")}.Rd`), bytes));
  await Promise.all([
    ...numbered(pages.values(), "man"),
    ...numbered(macros.values(), "man/macros"),
    ...[...figures].map(([path, bytes]) => writeFile(join(folder, "man/figures", basename(path)), bytes)),
  ]);
}

const typeset = `
  cp -r /package /build/package && cd /build/package &&
  R CMD Rd2pdf --no-preview --force --output=/build/manual.pdf . >&2 && cat /build/manual.pdf`;

/** The server starts only afterward. */
const probeSeconds = 5;

/** As the program `timeout` reports it. */
const timedOut = 124;

interface Outcome {
  /** Undefined: it could not be started. */
  code: number | undefined;
  stdout: Uint8Array;
  stderr: string;
}

/** The files that R and LaTeX consist of; no data of the product is among them. */
const readable = [
  ...["/usr", "/bin", "/sbin", "/lib", "/lib64", "/opt/R"],
  ...["/etc/R", "/etc/texmf", "/etc/fonts", "/etc/alternatives", "/etc/ld.so.cache", "/var/lib/texmf"],
];

function sandboxed(more: readonly string[], script: string, seconds: number): Promise<Outcome> {
  const parameters = [
    ...["--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--clearenv"],
    ...readable.flatMap((path) => ["--ro-bind-try", path, path]),
    ...["--proc", "/proc", "--dev", "/dev"],
    ...["--size", String(512 * mebibyte), "--tmpfs", "/build", "--size", String(512 * mebibyte), "--tmpfs", "/tmp"],
    ...["--setenv", "PATH", "/usr/local/bin:/usr/bin:/bin", "--setenv", "HOME", "/tmp", "--setenv", "LANG", "C.UTF-8"],
    // Without it a font is needed that small installations of LaTeX lack.
    ...["--setenv", "R_RD4PDF", "times,hyper"],
    ...more,
    ...["prlimit", `--as=${4096 * mebibyte}`, `--cpu=${seconds}`, "--nproc=256"],
    ...["sh", "-c", script],
  ];
  const options = {
    encoding: "buffer",
    timeout: seconds * 1000,
    killSignal: "SIGKILL",
    maxBuffer: largestPdf,
  } as const;
  return new Promise((resolve) => {
    execFile("bwrap", parameters, { ...options, env: { PATH: process.env.PATH } }, (error, stdout, stderr) => {
      const code = error ? (typeof error.code === "number" ? error.code : error.killed ? timedOut : undefined) : 0;
      resolve({ code, stdout, stderr: stderr.toString() });
    });
  });
}

/** The lines of the output of R and LaTeX that state what went wrong. */
function reasonIn(stderr: string): string {
  const lines = stderr.split("\n").map((line) => line.trim());
  const telling = lines.filter((line) => /^!|^Error|^Warning: .*\.Rd/.test(line));
  const chosen = telling.length > 0 ? telling : lines.filter((line) => line !== "").slice(-3);
  return chosen.slice(0, 3).join(" ").replace(/\s+/g, " ").slice(0, 500) || "R could not typeset it";
}
