import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { chmod, readFile } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { S3Client, S3ClientConfig } from "@aws-sdk/client-s3";
import { isMemorySource, type MemorySource } from "@packhouse/formats/byte-source";
import type { Digests } from "../db/schema.ts";
import type { S3Address } from "../settings/s3-address.ts";
import { blockBytes, blockSource } from "./block-source.ts";
import { presigned } from "./presigned-address.ts";
import { failedOnItsSide, hasStatus } from "./s3-failure.ts";
import { type FileSource, holdingSmall, openStaging, receivedObject } from "./staging.ts";
import { type ByteRange, ObjectMissing, type ObjectStorage, StorageUnavailable } from "./storage.ts";

const mebibyte = 1024 * 1024;
/** Larger objects are sent in parts of this size, two at a time: more would use memory without being much faster. */
const partBytes = 8 * mebibyte;
const partsAtOnce = 2;
/** S3 accepts ten times as many, some servers do not. */
const mostParts = 1000;

/** To ask whether a smaller object exists takes longer than to send it again. */
const leastAskedFor = mebibyte;

const connectTimeoutMs = 3_000;
/**
 * Timeout to the first byte of an answer; with the attempts below, a lost bucket is noticed in about fifteen seconds.
 */
const answerTimeoutMs = 5_000;
/** Timeout to the answer after sending eight megabytes over a slow line, or completing many parts. */
const putTimeoutMs = 60_000;
const idleTimeoutMs = 60_000;
const attempts = 3;
/** Each download holds one for as long as its reader takes. */
const connections = 1000;

export interface S3StorageOptions {
  address: S3Address;
  /** Where uploads are staged until they are kept. */
  stagingFolder: string;
}

export interface S3Storage extends ObjectStorage {
  /** Tries the bucket: returns why it can never work, or undefined if it does. Throws `StorageUnavailable`. */
  problem(): Promise<string | undefined>;
  close(): void;
}

/**
 * Objects in a bucket of an S3-compatible server, each under its SHA-256. The SDK is only loaded here. Objects appear
 * in a bucket atomically.
 */
export async function openS3Storage({ address, stagingFolder }: S3StorageOptions): Promise<S3Storage> {
  const sdk = await import("@aws-sdk/client-s3");
  const stage = holdingSmall(await openStaging(stagingFolder, { stays: false }));
  const { bucket: Bucket, prefix, endpoint, region, pathStyle } = address;
  const configuration = (requestTimeout: number): S3ClientConfig => ({
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(region === undefined ? {} : { region }),
    forcePathStyle: pathStyle,
    // Many servers do not support the SDK's own checksums; stored bytes are verified below.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    maxAttempts: attempts,
    requestHandler: {
      connectionTimeout: connectTimeoutMs,
      requestTimeout,
      throwOnRequestTimeout: true,
      socketTimeout: idleTimeoutMs,
      httpAgent: { maxSockets: connections },
      httpsAgent: { maxSockets: connections },
    },
  });
  const client = new sdk.S3Client(configuration(answerTimeoutMs));
  const sender = new sdk.S3Client(configuration(putTimeoutMs));
  const at = (digest: string) => ({ Bucket, Key: prefix + digest });

  async function get(digest: string, range?: ByteRange) {
    try {
      const Range = range && `bytes=${range.start}-${range.end}`;
      const { Body, ContentRange } = await client.send(
        new sdk.GetObjectCommand({ ...at(digest), ...(Range === undefined ? {} : { Range }) }),
      );
      if (!(Body instanceof Readable)) throw new StorageUnavailable("the storage returned no bytes");
      return { body: Body, contentRange: ContentRange };
    } catch (error) {
      throw hasStatus(error, 404) ? new ObjectMissing(digest) : failedOnItsSide(error);
    }
  }

  const storage: S3Storage = {
    async receive(chunks, maxBytes, expectedBytes) {
      const arrived = await stage(chunks, maxBytes, expectedBytes);
      const { source } = arrived;
      const { size } = source;
      return receivedObject(arrived, async (digests) => {
        // The same bytes may already exist; sending them again changes nothing.
        if (size >= leastAskedFor && (await storage.size(digests.sha256)) === size) return;
        const eTag = await put(sender, at(digests.sha256), source, digests).catch(async (error: unknown) => {
          // The parts are gone: an attempt whose answer was lost may have completed them.
          if (hasStatus(error, 404) && (await storage.size(digests.sha256)) === size) return undefined;
          throw failedOnItsSide(error);
        });
        // Most servers answer with the MD5 of the object, but not if it is encrypted or was sent in parts.
        if (eTag?.replaceAll('"', "") === digests.md5) return;
        const stored = await storage.size(digests.sha256); // undefined: a sweep was faster, which is allowed
        if (stored !== undefined && stored !== size)
          throw new StorageUnavailable(`the storage has ${stored} of ${size} bytes`);
      });
    },
    has: async (digest) => (await storage.size(digest)) !== undefined,
    async size(digest) {
      try {
        return (await client.send(new sdk.HeadObjectCommand(at(digest)))).ContentLength;
      } catch (error) {
        if (hasStatus(error, 404)) return undefined;
        throw failedOnItsSide(error);
      }
    },
    read: async (digest, range) => (await get(digest, range)).body,
    temporaryAddress: (digest, ResponseContentType) =>
      presigned(client, new sdk.GetObjectCommand({ ...at(digest), ResponseContentType })),
    readToSend: (digest, range) => storage.read(digest, range),
    async source(digest) {
      const range = async (start: number, end: number) => {
        const { body, contentRange } = await get(digest, { start, end });
        return { bytes: await bytesOf(body), contentRange };
      };
      // Gets its beginning and its size in one request.
      const first = await range(0, blockBytes - 1).catch((error: unknown) => {
        if (hasStatus(error, 416)) return undefined; // it is empty
        throw error;
      });
      const size = sizeIn(first?.contentRange) ?? first?.bytes.byteLength ?? 0;
      return blockSource(size, first?.bytes ?? new Uint8Array(), async (start, end) => (await range(start, end)).bytes);
    },
    async placeAt(digest, path) {
      const body = await storage.read(digest);
      try {
        await pipeline(body, createWriteStream(path, { flags: "wx", mode: 0o644 }));
        await chmod(path, 0o644);
      } catch (error) {
        throw failedOnItsSide(error);
      }
    },
    async remove(digest) {
      try {
        await client.send(new sdk.DeleteObjectCommand(at(digest)));
      } catch (error) {
        if (!hasStatus(error, 404)) throw failedOnItsSide(error);
      }
    },
    async *list() {
      let ContinuationToken: string | undefined;
      do {
        const page = await client
          .send(
            new sdk.ListObjectsV2Command({
              Bucket,
              Prefix: prefix,
              ...(ContinuationToken === undefined ? {} : { ContinuationToken }),
            }),
          )
          .catch((error: unknown) => {
            throw failedOnItsSide(error);
          });
        for (const { Key = "", Size = 0 } of page.Contents ?? []) {
          const digest = Key.slice(prefix.length);
          // The bucket may hold objects of others.
          if (/^[0-9a-f]{64}$/.test(digest)) yield { digest, size: Size };
        }
        ContinuationToken = page.NextContinuationToken;
      } while (ContinuationToken !== undefined);
    },
    async problem() {
      try {
        await client.send(new sdk.ListObjectsV2Command({ Bucket, Prefix: prefix, MaxKeys: 1 }));
        return undefined;
      } catch (error) {
        if (hasStatus(error, 404)) return `there is no bucket ${Bucket}`;
        if (hasStatus(error, 401, 403)) return `the bucket ${Bucket} refuses the credentials`;
        if (hasStatus(error, 301, 307, 400))
          return `the bucket ${Bucket} is in another region, or this is not an S3 server`;
        if (error instanceof Error && error.name === "CredentialsProviderError")
          return "there are no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or use another method that the AWS SDK supports";
        if (error instanceof Error && error.message === "Region is missing") return "no region is set";
        throw failedOnItsSide(error);
      }
    },
    async probe() {
      const problem = await storage.problem();
      if (problem !== undefined) throw new StorageUnavailable(problem);
    },
    close() {
      client.destroy();
      sender.destroy();
    },
  };
  return storage;
}

/**
 * Sends a staged file. The server refuses corrupted data: whole objects by MD5, parts by the SHA-256 in their
 * signature. A digest verifies that the parts are the file before they are completed. Returns the ETag.
 */
async function put(
  sender: S3Client,
  target: { Bucket: string; Key: string },
  source: FileSource | MemorySource,
  digests: Digests,
) {
  const { size } = source;
  if (isMemorySource(source) || size <= partBytes) {
    const { PutObjectCommand } = await import("@aws-sdk/client-s3");
    const ContentMD5 = Buffer.from(digests.md5, "hex").toString("base64");
    const command = new PutObjectCommand({
      ...target,
      Body: isMemorySource(source) ? source.bytes : await readFile(source.path),
      ContentMD5,
    });
    return (await sender.send(command)).ETag;
  }
  const { Upload } = await import("@aws-sdk/lib-storage");
  const upload = new Upload({
    client: sender,
    params: {
      ...target,
      ContentLength: size,
      Body: Readable.from(checked(source.path, digests.sha256), { objectMode: false }),
    },
    partSize: Math.max(partBytes, Math.ceil(size / mostParts)),
    queueSize: partsAtOnce,
  });
  return (await upload.done()).ETag;
}

async function* checked(path: string, sha256: string): AsyncGenerator<Buffer> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path, { highWaterMark: mebibyte }) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    yield chunk;
  }
  if (hash.digest("hex") !== sha256) throw new Error(`the staged file ${path} has changed`);
}

async function bytesOf(body: Readable): Promise<Uint8Array> {
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of body as AsyncIterable<Buffer>) chunks.push(chunk);
    return Buffer.concat(chunks);
  } catch (error) {
    throw failedOnItsSide(error);
  }
}

/** The size of the whole in `bytes 0-99/1234`. */
function sizeIn(contentRange: string | undefined): number | undefined {
  const [, size] = /\/(\d+)$/.exec(contentRange ?? "") ?? [];
  return size === undefined ? undefined : Number(size);
}
