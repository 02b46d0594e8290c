import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startProduct } from "@packhouse/server/testing/product";
import { memoryOf } from "./process-memory.ts";

const settleMs = 40_000;
const megabytesOf = (pids: readonly number[]): number => (memoryOf(pids) * 1024 * 1024) / 1_000_000;

/** Memory of a new installation at rest: the server, and all processes of its database. */
export async function idleMemory(): Promise<string[]> {
  await using product = await startProduct();
  await sleep(settleMs);
  const postmaster = Number.parseInt(readFileSync(join(product.dataDir, "database/postmaster.pid"), "utf8"), 10);
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, "utf8").trim().split(" ");
  const [server, database] = [
    megabytesOf([product.process.pid ?? 0]),
    megabytesOf([postmaster, ...children.map(Number)]),
  ];
  return [
    `${(server + database).toFixed(0)} MB: server ${server.toFixed(0)} MB, database ${database.toFixed(0)} MB in ${children.length + 1} processes`,
  ];
}
