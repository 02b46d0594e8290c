import { fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
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
const roundsTogether = 5;
const atOnce = 50;

/**
 * A file of about 100 MB, by one client and by many at once, from the product, from nginx and from the least that Node
 * can do, in turns.
 */
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
  const plainPort = await freePort();
  const plainServer = fork(join(import.meta.dirname, "plain-file-server.ts"), [
    join(folder, "html/file"),
    String(file.bytes.length),
    String(plainPort),
  ]);
  try {
    await once(plainServer, "message");
    const ours = new URL(`${product.address}/repo/large/src/contrib/${file.fileName}`);
    const theirs = new URL(`http://localhost:${port}/file`);
    const plain = new URL(`http://localhost:${plainPort}/file`);
    const pid = product.process.pid ?? 0;
    const alone = await inTurns(rounds, { ours, theirs, plain }, (from) => read(from, file.bytes.length));
    const speed = (time: number) => `${(file.bytes.length / mebibyte / time).toFixed(0)} MiB/s`;

    const before = residentOf(pid);
    let most = before;
    const watching = setInterval(() => {
      most = Math.max(most, residentOf(pid));
    }, 50);
    const together = await inTurns(roundsTogether, { ours, theirs, plain }, (from) =>
      seconds(() => Promise.all(Array.from({ length: atOnce }, () => read(from, file.bytes.length)))),
    );
    clearInterval(watching);
    return [
      `${(file.bytes.length / mebibyte).toFixed(0)} MiB by one client, median of ${rounds} in turns: Packhouse ${speed(alone.ours)}, nginx ${speed(alone.theirs)}, ratio ${(alone.theirs / alone.ours).toFixed(2)}; the least that Node can do ${(alone.theirs / alone.plain).toFixed(2)}`,
      `by ${atOnce} at once, median of ${roundsTogether} in turns: Packhouse ${together.ours.toFixed(1)} s, nginx ${together.theirs.toFixed(1)} s, ratio ${(together.theirs / together.ours).toFixed(2)}; the least that Node can do ${(together.theirs / together.plain).toFixed(2)}; resident memory grows from ${before.toFixed(0)} to at most ${most.toFixed(0)} MiB`,
    ];
  } finally {
    server.kill();
    plainServer.kill();
    await rm(folder, { recursive: true, force: true });
  }
}

type Servers<Value> = Record<"ours" | "theirs" | "plain", Value>;

/** The median of the times that each took. */
async function inTurns(rounds: number, servers: Servers<URL>, work: (from: URL) => Promise<number>) {
  const times: Servers<number>[] = [];
  for (let round = 0; round < rounds; round += 1)
    times.push({
      ours: await work(servers.ours),
      theirs: await work(servers.theirs),
      plain: await work(servers.plain),
    });
  const median = (of: keyof Servers<number>) =>
    quantile(
      times.map((it) => it[of]),
      0.5,
    );
  return { ours: median("ours"), theirs: median("theirs"), plain: median("plain") };
}

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
