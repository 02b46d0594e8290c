import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { member, tarGzOfFolder } from "@packhouse/fixtures/archive-writing";
import { smallRPackage } from "@packhouse/server/testing/small-packages";
import { httpClient } from "./http-client.ts";
import { inParallel, nameOf, quantile, seconds, startForBench } from "./organization.ts";

const megabytes = Number(process.env.BENCH_UPLOAD_MEGABYTES ?? 100);
const rounds = 5;
const mebibyte = 1024 * 1024;

/** The speed of large uploads, compared in the same run with writing the same bytes, syncing them and computing their SHA-256. */
export async function largeUploads(): Promise<string[]> {
  const { product, administrator } = await startForBench();
  await using _ = product;
  const folder = await mkdtemp(join(tmpdir(), "packhouse-uploads-"));
  try {
    const ratios: number[] = [];
    const speeds = { uploads: [] as number[], plain: [] as number[] };
    // From memory: a client that reads the file has as much garbage to collect, on the same processors.
    const bytes = await largePackage("large");
    const file = { fileName: "large_1.0.0.tar.gz", bytes, type: "application/gzip" };
    const client = httpClient(product.address, administrator.token);
    for (let round = 0; round < rounds; round += 1) {
      const repository = `large${round}`;
      await administrator.createRepository("R", repository);
      const plain = await written(bytes, join(folder, "copy"));
      const uploaded = await seconds(() => client.uploadR(repository, file));
      ratios.push(plain / uploaded);
      speeds.uploads.push(bytes.length / 1e6 / uploaded);
      speeds.plain.push(bytes.length / 1e6 / plain);
    }
    return [
      `R package of ${megabytes} MB: ${quantile(speeds.uploads, 0.5).toFixed(0)} MB/s; writing, syncing and hashing ${quantile(speeds.plain, 0.5).toFixed(0)} MB/s, ratio ${quantile(ratios, 0.5).toFixed(2)}`,
    ];
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Small packages, one after the other and eight at once, each accepted and published when its upload returns. */
export async function smallUploads(): Promise<string[]> {
  const { product, administrator } = await startForBench();
  await using _ = product;
  await administrator.createRepository("R", "small");
  const files = await Promise.all(
    Array.from({ length: 50 + 2 * smallOnes }, (_unused, index) => smallRPackage(nameOf(index), "1.0.0")),
  );
  const send = (file: (typeof files)[number]) => administrator.upload("R", "small", file);
  for (const file of files.splice(0, 50)) await send(file); // the program is warm afterward
  const times: number[] = [];
  for (const file of files.splice(0, smallOnes)) times.push((await seconds(() => send(file))) * 1000);
  const together = await seconds(() => inParallel(files, 8, send));
  return [
    `${smallOnes} small packages in a row: p50 ${quantile(times, 0.5).toFixed(0)} ms, p95 ${quantile(times, 0.95).toFixed(0)} ms, p99 ${quantile(times, 0.99).toFixed(0)} ms`,
    `as many, eight at once: ${(smallOnes / together).toFixed(0)}/s`,
  ];
}

const smallOnes = 400;

/** Cannot be compressed, as the data in large packages. */
async function largePackage(name: string): Promise<Uint8Array> {
  const description = `Package: ${name}\nVersion: 1.0.0\nTitle: Large\nAuthor: Ada Fern\nMaintainer: Ada Fern <ada@example.org>\nDescription: Large.\nLicense: GPL-3\n`;
  return tarGzOfFolder(
    name,
    [
      member("DESCRIPTION", description),
      member("NAMESPACE", ""),
      ...Array.from({ length: megabytes }, (_unused, index) => ({
        path: `inst/data${index}`,
        bytes: randomBytes(1_000_000),
      })),
    ],
    new Date("2026-01-02T03:04:05Z"),
  );
}

/** Seconds that the bytes take when nothing else happens to them. */
async function written(bytes: Uint8Array, path: string): Promise<number> {
  const took = await seconds(async () => {
    const hash = createHash("sha256");
    const file = await open(path, "w");
    for (let start = 0; start < bytes.length; start += mebibyte) {
      const chunk = bytes.subarray(start, start + mebibyte);
      hash.update(chunk);
      await file.writeFile(chunk);
    }
    await file.sync();
    await file.close();
    hash.digest();
  });
  await rm(path);
  return took;
}
