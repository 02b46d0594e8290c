import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/**
 * A disk of the given size in MiB for the tests of one file, if the machine allows it. Otherwise the skipped tests are
 * reported.
 */
export function smallDisk(mebibytes: number, leftOut: string): { folder: string; mounted: boolean } {
  const folder = mkdtempSync(join(tmpdir(), "packhouse-small-disk-"));
  const mounted = mount(folder, mebibytes);
  if (!mounted) process.stdout.write(`${leftOut} is left out: no small disk can be mounted here.\n`);
  afterAll(() => {
    if (mounted) execFileSync("umount", [folder]);
    rmSync(folder, { recursive: true, force: true });
  });
  return { folder, mounted };
}

function mount(folder: string, mebibytes: number): boolean {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${mebibytes}m`, "tmpfs", folder], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
