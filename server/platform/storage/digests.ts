import { createHash, hash } from "node:crypto";
import type { Digests } from "../db/schema.ts";
import { digestNames } from "./digest-threads.ts";

/** All digests of bytes in memory. */
export const digestsOf = (bytes: Uint8Array): Digests =>
  Object.fromEntries(digestNames.map((name) => [name, hash(name, bytes, "hex")])) as Digests; // one for each name

/** All digests of streamed bytes, and their number. */
export async function digestsOfStream(chunks: AsyncIterable<Uint8Array>): Promise<{ digests: Digests; size: number }> {
  const hashes = digestNames.map((name) => ({ name, hash: createHash(name) }));
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.byteLength;
    for (const one of hashes) one.hash.update(chunk);
  }
  const digests = Object.fromEntries(hashes.map((one) => [one.name, one.hash.digest("hex")])) as Digests; // one for each name
  return { digests, size };
}
