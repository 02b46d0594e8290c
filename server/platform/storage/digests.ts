import { createHash, type Hash } from "node:crypto";
import type { DigestName, Digests } from "../db/schema.ts";

const digestNames = ["md5", "sha1", "sha224", "sha256", "sha384", "sha512"] as const satisfies DigestName[];

/** All digests of streamed bytes, computed in one pass; each chunk is passed on to `take`. */
export async function digestsOfStream(
  chunks: AsyncIterable<Uint8Array>,
  take: (chunk: Uint8Array, size: number) => Promise<void> = async () => {},
): Promise<{ digests: Digests; size: number }> {
  const hashes = digestNames.map((name) => [name, createHash(name)] as const satisfies [DigestName, Hash]);
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.byteLength;
    for (const [, hash] of hashes) hash.update(chunk);
    await take(chunk, size);
  }
  const digests = Object.fromEntries(hashes.map(([name, hash]) => [name, hash.digest("hex")])) as Digests; // one for each name
  return { digests, size };
}
