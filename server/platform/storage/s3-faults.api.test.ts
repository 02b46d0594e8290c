import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { member, zip } from "@packhouse/fixtures/archive-writing";
import { isLong } from "@packhouse/fixtures/long-form";
import { zipDirectory } from "@packhouse/formats/archive/zip-structure";
import type { ByteSource } from "@packhouse/formats/byte-source";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ObjectStore, startObjectStore } from "../../testing/servers/object-store.ts";
import { s3Address } from "../settings/s3-address.ts";
import { openS3Storage, type S3Storage } from "./s3-storage.ts";
import { StorageUnavailable, stage } from "./storage.ts";

const mebibyte = 1024 * 1024;

/** Tampers with a request in transit: answers it, or corrupts its body or that of the answer. */
type Fault = (incoming: IncomingMessage, answer: ServerResponse) => "answered" | "spoil" | "cut" | undefined;
const none: Fault = () => undefined;

let store: ObjectStore;
let folder: string;
let storage: S3Storage;
let between: Server;
let fault: Fault = none;
let seen: string[] = [];

/** Between the product and the bucket; signatures stay right, since the header `Host` is passed on as it came. */
function passOn(incoming: IncomingMessage, answer: ServerResponse) {
  const { method = "GET", url = "/", headers } = incoming;
  seen.push(method);
  const what = fault(incoming, answer);
  if (what === "answered") return;
  const { hostname, port } = new URL(store.endpoint);
  const onward = request({ hostname, port, method, path: url, headers }, (reply) => {
    answer.writeHead(reply.statusCode ?? 500, reply.headers);
    if (method === "HEAD") return answer.end();
    if (what !== "cut") return reply.pipe(answer);
    return reply.once("data", (chunk: Buffer) => answer.write(chunk.subarray(0, 100), () => answer.destroy()));
  });
  // Swift ends answers to HEAD as if they had a body; the rest after the headers is ignored.
  onward.on("error", () => answer.headersSent || answer.destroy());
  if (what !== "spoil") return incoming.pipe(onward);
  return incoming
    .on("data", (chunk: Buffer) => onward.write(Buffer.from(chunk).fill(0, 0, 1)))
    .on("end", () => onward.end());
}

const refuse = (status: number, code: string): Fault => {
  return (_incoming, answer) => {
    answer.writeHead(status, { "content-type": "application/xml" });
    answer.end(`<Error><Code>${code}</Code><Message>no</Message></Error>`);
    return "answered";
  };
};

beforeAll(async () => {
  [store, folder] = await Promise.all([startObjectStore(), mkdtemp(join(tmpdir(), "packhouse-faults-"))]);
  Object.assign(process.env, store.credentials);
  between = createServer(passOn);
  await new Promise<void>((listening) => between.listen(0, "127.0.0.1", listening));
  const address = between.address();
  if (address === null || typeof address === "string") throw new Error("it listens nowhere");
  const endpoint = `http://127.0.0.1:${address.port}`;
  storage = await openS3Storage({
    address: { ...s3Address.parse(await store.makeBucket()), endpoint },
    stagingFolder: join(folder, "incoming"),
  });
});
afterAll(async () => {
  storage?.close();
  between?.closeAllConnections();
  between?.close();
  await store?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function staged(bytes: Uint8Array) {
  return stage(
    storage,
    (async function* () {
      yield bytes;
    })(),
    bytes.length,
  );
}
async function kept(bytes: Uint8Array): Promise<string> {
  const its = await staged(bytes);
  await its.keep();
  await its.discard();
  return its.digests.sha256;
}
async function during<T>(which: Fault, work: () => Promise<T>): Promise<T> {
  fault = which;
  try {
    return await work();
  } finally {
    fault = none;
  }
}

test.each([
  ["small", 1000],
  ["in parts", 9 * mebibyte],
])("bytes that are spoilt on their way are not taken (%s)", { timeout: 120_000 }, async (_how, size) => {
  const its = await staged(randomBytes(size).fill(1, 0, 1));
  const spoilt: Fault = ({ method, headers }) =>
    method === "PUT" && Number(headers["content-length"]) > 0 ? "spoil" : undefined;
  await expect(during(spoilt, () => its.keep())).rejects.toThrow(StorageUnavailable);
  expect(await storage.has(its.digests.sha256)).toBe(false);
  await its.keep();
  expect(await storage.size(its.digests.sha256)).toBe(size);
  await its.discard();
});

const refusals: [number, string][] = [
  [500, "InternalError"],
  [403, "ExpiredToken"],
];
/** The client of the bucket repeats these calls itself. */
const repeated: [number, string][] = [
  [503, "SlowDown"],
  [429, "TooManyRequests"],
];
test.each([...refusals, ...(isLong ? repeated : [])])(
  "a bucket that answers %d %s is unavailable, and what it holds is not missing",
  async (status, code) => {
    const digest = await kept(randomBytes(100));
    await during(refuse(status, code), async () => {
      for (const attempt of [
        () => storage.has(digest),
        () => storage.read(digest),
        () => storage.source(digest),
        () => storage.placeAt(digest, join(folder, "never")),
        () => storage.remove(digest),
        () => storage.list()[Symbol.asyncIterator]().next(),
      ])
        await expect(attempt()).rejects.toThrow(StorageUnavailable);
    });
    expect(await storage.has(digest)).toBe(true);
  },
);

test.each([
  [507, "InsufficientStorage"],
  [403, "QuotaExceeded"],
])("a full bucket is reported like a full disk (%d %s)", async (status, code) => {
  const its = await staged(randomBytes(1000));
  const full: Fault = (incoming, answer) =>
    incoming.method === "PUT" ? refuse(status, code)(incoming, answer) : undefined;
  await expect(during(full, () => its.keep())).rejects.toMatchObject({ code: "ENOSPC" });
  await its.discard();
});

test("a truncated answer is not accepted as complete", async () => {
  const digest = await kept(randomBytes(mebibyte));
  const cut: Fault = ({ method }) => (method === "GET" ? "cut" : undefined);
  await during(cut, async () => {
    await expect(storage.read(digest).then(buffer)).rejects.toThrow(/aborted/);
    await expect(storage.source(digest)).rejects.toThrow(StorageUnavailable);
  });
  const source = await storage.source(digest);
  await expect(during(cut, () => source.read(mebibyte - 10, 10))).rejects.toThrow(StorageUnavailable);
  expect(await source.read(mebibyte - 10, 10)).toHaveLength(10);
});

test("the many small reads of an archive are few requests", async () => {
  const members = Array.from({ length: 300 }, (_, index) =>
    member(`package-1.0/module_${index}.py`, randomBytes(2000).toString("hex")),
  );
  const bytes = await zip(members);
  const digest = await kept(bytes);
  let reads = 0;
  const limits = {
    maxUnpackedBytes: 100 * mebibyte,
    maxRatio: 200,
    maxMembers: 10_000,
    maxMetadataBytes: mebibyte,
    maxDepth: 10,
    maxMilliseconds: 60_000,
  };
  seen = [];
  const source = await storage.source(digest);
  const counted: ByteSource = {
    size: source.size,
    read(offset, length) {
      reads += 1;
      return source.read(offset, length);
    },
  };
  expect(await zipDirectory(counted, limits)).toHaveLength(300);
  process.stdout.write(`${bytes.length} bytes of a zip: ${reads} reads by ${seen.length} requests.\n`);
  expect(reads).toBeGreaterThan(100);
  expect(seen.length).toBeLessThanOrEqual(Math.ceil(bytes.length / (256 * 1024)));
});

test("a small object is one request, and a large one is not sent twice", async () => {
  const requestsFor = async (bytes: Uint8Array) => {
    seen = [];
    await kept(bytes);
    return seen;
  };
  const [small, large] = [randomBytes(1000), randomBytes(mebibyte)];
  expect(await requestsFor(small)).toEqual(["PUT"]);
  expect(await requestsFor(small)).toEqual(["PUT"]);
  expect(await requestsFor(large)).toEqual(["HEAD", "PUT"]);
  expect(await requestsFor(large)).toEqual(["HEAD"]);
});

test.runIf(isLong)(
  "a lost bucket fails within seconds, and recovers when it returns",
  { timeout: 180_000 },
  async () => {
    const bytes = randomBytes(5000);
    const digest = await kept(bytes);
    const lost = async (withinMs: number) => {
      const start = performance.now();
      await expect(storage.read(digest)).rejects.toThrow(StorageUnavailable);
      expect(performance.now() - start).toBeLessThan(withinMs);
    };
    await store.goDown();
    await lost(10_000);
    const its = await staged(randomBytes(100));
    await expect(its.keep()).rejects.toThrow(StorageUnavailable);
    await store.comeBack();
    await its.keep(); // the same bytes are still staged
    await its.discard();
    expect((await buffer(await storage.read(digest))).equals(bytes)).toBe(true);

    store.pause();
    await lost(30_000);
    store.resume();
    expect((await buffer(await storage.read(digest))).equals(bytes)).toBe(true);
  },
);
