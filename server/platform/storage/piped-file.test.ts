import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, open, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { expect, test } from "vitest";
import { PipedFile } from "./piped-file.ts";

const mebibyte = 1024 * 1024;

test("many files arrive whole, however long each chunk takes to send, and take little memory", async () => {
  const folder = await mkdtemp(join(tmpdir(), "sent-"));
  try {
    const path = join(folder, "file");
    const bytes = randomBytes(2 * mebibyte + 12_345);
    await writeFile(path, bytes);
    const sent = async () => new PipedFile(await open(path), { start: 1, end: bytes.length - 2 });
    const files = [];
    for (let count = 0; count < 50; count += 1) files.push(await sent());
    const received = await Promise.all(files.map(receive));
    const wanted = createHash("sha256").update(bytes.subarray(1, -1)).digest("hex");
    expect(new Set(received.map(({ digest }) => digest))).toEqual(new Set([wanted]));
    expect(received.reduce((sum, { memory }) => sum + memory, 0)).toBeLessThan(30 * mebibyte);
    expect(received.map(({ buffers }) => buffers).slice(6, 10)).toEqual([2, 2, 1, 1]);
    // All of them have been sent.
    expect((await receive(await sent())).buffers).toBe(2);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("a file that is left midway is closed once what is being read of it has been read", async () => {
  const folder = await mkdtemp(join(tmpdir(), "sent-"));
  try {
    const path = join(folder, "file");
    await writeFile(path, Buffer.alloc(2 * mebibyte));
    for (let count = 0; count < 20; count += 1) {
      const handle = await open(path);
      const file = new PipedFile(handle, { start: 0, end: 2 * mebibyte - 1 });
      file.read(); // it has begun to
      await new Promise((closed) => file.once("close", closed).destroy());
      expect(handle.fd).toBe(-1);
      expect(file.readableLength).toBe(0);
    }
    // None of them counts any longer.
    expect((await receive(new PipedFile(await open(path), { start: 0, end: 2 * mebibyte - 1 }))).buffers).toBe(2);
  } finally {
    await rm(folder, { recursive: true });
  }
});

/** Looks at a chunk only when it asks for the next one. */
async function receive(file: PipedFile): Promise<{ digest: string; buffers: number; memory: number }> {
  const hash = createHash("sha256");
  const buffers = new Set<ArrayBufferLike>();
  const reader = new Writable({
    write(chunk: Buffer, _encoding, done) {
      buffers.add(chunk.buffer);
      setTimeout(() => {
        hash.update(chunk);
        done();
      }, 2);
    },
  });
  await pipeline(file, reader);
  const memory = [...buffers].reduce((sum, { byteLength }) => sum + byteLength, 0);
  return { digest: hash.digest("hex"), buffers: buffers.size, memory };
}
