import { randomBytes } from "node:crypto";
import { openAsBlob, readFileSync } from "node:fs";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { apiPrefix } from "@packhouse/contract/operation";
import { startForBench } from "./organization.ts";

const megabytes = 300;
const mebibyte = 1024 * 1024;

/** Growth of the server's resident memory while a file of 300 MB comes in; the file is refused at its end, which is the longest way. */
export async function uploadMemory(): Promise<string[]> {
  const { product, administrator } = await startForBench();
  await using _ = product;
  await administrator.createRepository("R", "large");
  const folder = await mkdtemp(join(tmpdir(), "packhouse-large-"));
  const path = join(folder, "large_1.0.0.tar.gz");
  const file = await open(path, "w");
  const chunk = randomBytes(mebibyte);
  for (let index = 0; index < megabytes; index += 1) await file.write(chunk);
  await file.close();

  const resident = () =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${product.process.pid}/status`, "utf8"))?.[1]) / 1024;
  const form = new FormData();
  form.append("repository", "large");
  form.append("file", await openAsBlob(path), "large_1.0.0.tar.gz");
  const before = resident();
  let highest = before;
  const watching = setInterval(() => {
    highest = Math.max(highest, resident());
  }, 20);
  const started = performance.now();
  const answer = await fetch(`${product.address}${apiPrefix}/r/submissions`, {
    method: "POST",
    headers: { authorization: `Bearer ${administrator.token}` },
    body: form,
  });
  const took = (performance.now() - started) / 1000;
  clearInterval(watching);
  await rm(folder, { recursive: true });
  if (answer.status !== 422) throw new Error(`a file that is no archive answered ${answer.status}`);
  return [
    `${megabytes} MB in ${took.toFixed(1)} s`,
    `resident memory ${before.toFixed(0)} MiB before, ${highest.toFixed(0)} MiB at most: grown by ${(highest - before).toFixed(0)} MiB`,
  ];
}
