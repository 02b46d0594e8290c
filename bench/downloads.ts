import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@packhouse/server/testing/product";
import { smallRPackage } from "@packhouse/server/testing/small-packages";
import { nginx, serveByNginx } from "./nginx.ts";
import { quantile, seconds, startForBench } from "./organization.ts";

const mebibyte = 1024 * 1024;
const rounds = 7;
const atOnce = 50;

/** A file of about 100 MB, by one client and by many at once, from the product and from nginx in turns. */
export async function downloads(): Promise<string[]> {
  if (!nginx) return ["left out: nginx is not on this machine (Debian: apt-get install nginx-light)"];
  const { product, administrator } = await startForBench();
  await using _ = product;
  await administrator.createRepository("R", "large");
  const noise = randomBytes(100 * mebibyte).toString("base64");
  const file = await smallRPackage("bulky", "1.0", {}, { "inst/noise": noise });
  await administrator.upload("R", "large", file);
  const folder = await mkdtemp(join(tmpdir(), "packhouse-nginx-"));
  await mkdir(join(folder, "html"));
  await writeFile(join(folder, "html/file"), file.bytes);
  const port = await freePort();
  const server = await serveByNginx(nginx, folder, port);
  try {
    const ours = new URL(`${product.address}/repo/large/src/contrib/${file.fileName}`);
    const theirs = new URL(`http://localhost:${port}/file`);
    const pid = product.process.pid ?? 0;
    const times: { ours: number; theirs: number }[] = [];
    for (let round = 0; round < rounds; round += 1)
      times.push({ ours: await read(ours, file.bytes.length), theirs: await read(theirs, file.bytes.length) });
    const speed = (of: "ours" | "theirs") =>
      file.bytes.length /
      mebibyte /
      quantile(
        times.map((it) => it[of]),
        0.5,
      );

    const before = residentOf(pid);
    let most = before;
    const watching = setInterval(() => {
      most = Math.max(most, residentOf(pid));
    }, 50);
    const together = await seconds(() => many(() => read(ours, file.bytes.length)));
    clearInterval(watching);
    const theirsTogether = await seconds(() => many(() => read(theirs, file.bytes.length)));
    return [
      `${(file.bytes.length / mebibyte).toFixed(0)} MiB by one client, median of ${rounds} in turns: Packhouse ${speed("ours").toFixed(0)} MiB/s, nginx ${speed("theirs").toFixed(0)} MiB/s, ratio ${(speed("ours") / speed("theirs")).toFixed(2)}`,
      `by ${atOnce} at once: Packhouse ${together.toFixed(1)} s, nginx ${theirsTogether.toFixed(1)} s, ratio ${(theirsTogether / together).toFixed(2)}; resident memory grows from ${before.toFixed(0)} to at most ${most.toFixed(0)} MiB`,
    ];
  } finally {
    server.kill();
    await rm(folder, { recursive: true, force: true });
  }
}

const many = (work: () => Promise<unknown>) => Promise.all(Array.from({ length: atOnce }, work));

/** Reads an answer with as little work as possible: seconds. */
function read({ hostname, port, pathname }: URL, size: number): Promise<number> {
  const buffer = Buffer.alloc(mebibyte);
  const started = performance.now();
  return new Promise((done, fail) => {
    let bytes = 0;
    const count = (length: number) => {
      bytes += length;
      return true;
    };
    const socket = connect({ host: hostname, port: Number(port), onread: { buffer, callback: count } });
    socket.write(`GET ${pathname} HTTP/1.1\r\nHost: ${hostname}\r\nConnection: close\r\n\r\n`);
    socket.once("error", fail);
    socket.once("close", () => {
      if (bytes < size) fail(new Error(`${pathname}: ${bytes} of ${size} bytes`));
      else done((performance.now() - started) / 1000);
    });
  });
}

const residentOf = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
