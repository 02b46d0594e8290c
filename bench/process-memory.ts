import { readFileSync } from "node:fs";

/** Memory of processes, in MiB; what they share is divided among them. */
export function memoryOf(pids: readonly number[]): number {
  const sizes = pids.map((pid) => {
    try {
      return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1] ?? 0) / 1024;
    } catch {
      return 0; // a connection that has just been closed
    }
  });
  return sizes.reduce((sum, size) => sum + size, 0);
}
