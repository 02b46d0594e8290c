import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@packhouse/server/testing/product";
import { smallSdist } from "@packhouse/server/testing/small-packages";
import autocannon from "autocannon";
import { nginx, serveByNginx } from "./nginx.ts";
import { startForBench } from "./organization.ts";

const files = 50;
const seconds = 8;

/** Requests per second for a project page of 50 files, compared to nginx serving the same bytes in the same run. */
export async function indexPages(): Promise<string[]> {
  if (!nginx) return ["left out: nginx is not on this machine (Debian: apt-get install nginx-light)"];
  const cores = availableParallelism();
  return [...(await compared(nginx, 1)), ...(cores > 1 ? await compared(nginx, cores) : [])];
}

/** Both with as many processes. */
async function compared(program: string, processes: number): Promise<string[]> {
  const { product, administrator } = await startForBench({ PACKHOUSE_PROCESSES: String(processes) });
  await using _ = product;
  await administrator.createRepository("Python", "pages");
  for (let index = 0; index < files; index += 1) {
    const file = await smallSdist("paged", `1.${index}`);
    await administrator.upload("Python", "pages", file);
  }
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

/** Requests per second of 20 connections. */
export async function rate(url: string): Promise<number> {
  const result = await autocannon({ url, connections: 20, duration: seconds });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${url} failed ${result.non2xx + result.errors} times`);
  return result.requests.average;
}
