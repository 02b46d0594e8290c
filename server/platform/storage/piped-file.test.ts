import { mkdtemp, open, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { expect, test } from "vitest";
import { PipedFile } from "./piped-file.ts";

const mebibyte = 1024 * 1024;

test("chunks are large while few files are sent, and smaller beyond, so that many take little memory", async () => {
  const folder = await mkdtemp(join(tmpdir(), "sent-"));
  try {
    const path = join(folder, "file");
    await writeFile(path, Buffer.alloc(2 * mebibyte));
    const sent = async () => new PipedFile(await open(path), { start: 0, end: 2 * mebibyte - 1 });
    const files = [];
    for (let count = 0; count < 50; count += 1) files.push(await sent());
    const chunks = await Promise.all(files.map(largestChunkOf));
    expect([chunks[0], chunks.at(-1)]).toEqual([mebibyte / 2, mebibyte / 4]);
    expect(2 * chunks.reduce((sum, chunk) => sum + chunk)).toBeLessThan(30 * mebibyte);
    // All of them have been sent.
    expect(await largestChunkOf(await sent())).toBe(mebibyte / 2);
  } finally {
    await rm(folder, { recursive: true });
  }
});

async function largestChunkOf(file: PipedFile): Promise<number> {
  let most = 0;
  const reader = new Writable({
    write(chunk: Buffer, _encoding, done) {
      most = Math.max(most, chunk.length);
      done();
    },
  });
  await pipeline(file, reader);
  return most;
}
