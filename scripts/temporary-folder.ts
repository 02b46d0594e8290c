import { execFileSync } from "node:child_process";
import { accessSync, chmodSync, constants, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endAll } from "./stages.ts";

/** Tests store at most this much at a time; in memory, as much again must remain for programs. */
const enoughBytes = 6 * 1024 ** 3;

/**
 * Creates a folder for everything that this process and the programs it starts write to `TMPDIR`, and returns its path.
 * It is in memory where there is enough, since a test creates and drops a database in a tenth of the time there. It is
 * removed when this process exits.
 */
export function provideTemporaryFolder(): string {
  const path = inMemory() ?? mkdtempSync(join(tmpdir(), "packhouse-run-"));
  chmodSync(path, 0o1777); // PostgreSQL runs as another account
  process.env.TMPDIR = path;
  process.once("exit", () => rmSync(path, { recursive: true, force: true, maxRetries: 10 }));
  // A signal would end this process without that, while its programs still write.
  const interrupt = () => void endAll().then(() => process.exit(1));
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  return path;
}

function inMemory(): string | undefined {
  const memory = "/dev/shm";
  try {
    accessSync(memory, constants.W_OK);
    const { bavail, bsize } = statfsSync(memory);
    if (bavail * bsize < enoughBytes || process.availableMemory() < 2 * enoughBytes) return undefined;
  } catch {
    return undefined; // this system has no such folder, or it is not writable
  }
  const path = mkdtempSync(join(memory, "packhouse-run-"));
  if (runsPrograms(path)) return path;
  rmSync(path, { recursive: true });
  return undefined;
}

/** Containers often have memory from which nothing can be run, and tests install programs. */
function runsPrograms(folder: string): boolean {
  const program = join(folder, "probe");
  try {
    writeFileSync(program, "#!/bin/sh\n", { mode: 0o755 });
    execFileSync(program);
    rmSync(program);
    return true;
  } catch {
    return false;
  }
}
