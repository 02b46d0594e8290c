import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@packhouse/server/testing/product";
import { smallSdist } from "@packhouse/server/testing/small-packages";
import autocannon from "autocannon";
import { nginx, serveByNginx } from "./nginx.ts";
import { startForBench } from "./organization.ts";
import { onDevpi, onPypiserver, type PeerFile } from "./python-peers.ts";

const files = 50;
const seconds = 8;

/**
 * Requests per second for a project page of 50 files, compared in the same run to nginx serving the same bytes, and to
 * other servers of packages with the same files.
 */
export async function indexPages(): Promise<string[]> {
  if (!nginx) return ["left out: nginx is not on this machine (Debian: apt-get install nginx-light)"];
  const cores = availableParallelism();
  const paged: PeerFile[] = [];
  for (let index = 0; index < files; index += 1) {
    const version = `1.${index}`;
    paged.push({ name: "paged", version, ...(await smallSdist("paged", version)) });
  }
  return [
    ...(await compared(nginx, 1, paged)),
    ...(cores > 1 ? await compared(nginx, cores, paged) : []),
    `pypiserver: ${shown(await onPypiserver(paged, "paged", rate))}`,
    `devpi: ${shown(await onDevpi(paged, "paged", (page) => rate(page, { mayEnd: true })))}`,
  ];
}

const shown = (rate: number | string): string => (typeof rate === "number" ? `${rate.toFixed(0)}/s` : rate);

/** Both with as many processes. */
async function compared(program: string, processes: number, paged: readonly PeerFile[]): Promise<string[]> {
  const { product, administrator } = await startForBench({ PACKHOUSE_PROCESSES: String(processes) });
  await using _ = product;
  await administrator.createRepository("Python", "pages");
  for (const file of paged) await administrator.upload("Python", "pages", file);
  const page = `${product.address}/repo/pages/simple/paged/`;
  const bytes = Buffer.from(await (await fetch(page)).arrayBuffer());
  const folder = await mkdtemp(join(tmpdir(), "packhouse-nginx-"));
  const port = await freePort();
  await mkdir(join(folder, "html"));
  await writeFile(join(folder, "html/page.html"), bytes);
  const server = await serveByNginx(program, folder, port, processes);
  try {
    // In turns, so that a machine that slows down slows both.
    const rates: { ours: number; theirs: number }[] = [];
    for (let round = 0; round < 3; round += 1)
      rates.push({ ours: await rate(page), theirs: await rate(`http://localhost:${port}/page.html`) });
    const ours = rates.map((one) => one.ours).sort((a, b) => a - b)[1] ?? 0;
    const theirs = rates.map((one) => one.theirs).sort((a, b) => a - b)[1] ?? 0;
    return [
      `page of ${files} files, ${bytes.length} bytes, ${processes} process${processes > 1 ? "es" : ""} each, median of 3 runs of ${seconds} s each in turns`,
      `Packhouse ${ours.toFixed(0)}/s, nginx ${theirs.toFixed(0)}/s, ratio ${(ours / theirs).toFixed(2)}`,
    ];
  } finally {
    server.kill();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Requests per second of 20 connections. A server that ends each of them after its answer, without saying so, may. */
export async function rate(url: string, { mayEnd = false } = {}): Promise<number> {
  const result = await autocannon({ url, connections: 20, duration: seconds });
  const failed = result.non2xx + result.timeouts + (mayEnd ? 0 : result.errors);
  if (failed > 0) throw new Error(`${url} failed ${failed} times`);
  return result.requests.average;
}
