import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startProduct } from "@packhouse/server/testing/product";
import { memoryOf } from "./process-memory.ts";

const settleMs = 40_000;
const megabytesOf = (pids: readonly number[]): number => (memoryOf(pids) * 1024 * 1024) / 1_000_000;

/**
 * Memory of a new installation at rest: the server, and all processes of its database. The program of Node, which is
 * part of it, is divided among all processes of Node on the machine, so what is left is comparable between machines.
 */
export async function idleMemory(): Promise<string[]> {
  await using product = await startProduct();
  await sleep(settleMs);
  const postmaster = Number.parseInt(readFileSync(join(product.dataDir, "database/postmaster.pid"), "utf8"), 10);
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, "utf8").trim().split(" ");
  const [server, database] = [
    megabytesOf([product.process.pid ?? 0]),
    megabytesOf([postmaster, ...children.map(Number)]),
  ];
  const program = programMegabytes(product.process.pid ?? 0);
  return [
    `${(server + database).toFixed(0)} MB: server ${server.toFixed(0)} MB (${program.toFixed(0)} MB of it Node's program), database ${database.toFixed(0)} MB in ${children.length + 1} processes`,
  ];
}

/** Its share of what is mapped from the executable file. */
function programMegabytes(pid: number): number {
  const mapped = readFileSync(`/proc/${pid}/smaps`, "utf8").split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m);
  const ofProgram = mapped.filter((entry) => entry.split("\n", 1)[0]?.endsWith(process.execPath));
  const kilobytes = ofProgram.map((entry) => Number(/^Pss:\s+(\d+)/m.exec(entry)?.[1] ?? 0));
  return (kilobytes.reduce((sum, size) => sum + size, 0) * 1024) / 1_000_000;
}
