import { createHash, type Hash } from "node:crypto";
import type { DigestName, Digests } from "../db/schema.ts";

/** Some digests of bytes that come one after the other. */
export class RunningDigests {
  readonly #hashes: readonly { name: DigestName; hash: Hash }[];

  constructor(names: readonly DigestName[]) {
    this.#hashes = names.map((name) => ({ name, hash: createHash(name) }));
  }

  add(bytes: Uint8Array): this {
    for (const { hash } of this.#hashes) hash.update(bytes);
    return this;
  }

  /** Lower-case hexadecimal; nothing can be added after that. */
  end(): Partial<Digests> {
    return Object.fromEntries(this.#hashes.map(({ name, hash }) => [name, hash.digest("hex")]));
  }
}

/** What takes two threads about the same time. */
export const halves = [
  ["md5", "sha1", "sha224", "sha256"],
  ["sha384", "sha512"],
] as const satisfies DigestName[][];

export const digestNames: readonly DigestName[] = halves.flat();

/** Joins what several have computed of the same bytes. */
export function allDigests(...parts: readonly Partial<Digests>[]): Digests {
  const found: Partial<Digests> = Object.assign({}, ...parts);
  const { md5, sha1, sha224, sha256, sha384, sha512 } = found;
  if (!md5 || !sha1 || !sha224 || !sha256 || !sha384 || !sha512) throw new Error("a digest is missing");
  return { md5, sha1, sha224, sha256, sha384, sha512 };
}

export const digestsOf = (bytes: Uint8Array): Digests => allDigests(new RunningDigests(digestNames).add(bytes).end());

/** All digests of streamed bytes, and their number. */
export async function digestsOfStream(chunks: AsyncIterable<Uint8Array>): Promise<{ digests: Digests; size: number }> {
  const digests = new RunningDigests(digestNames);
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.byteLength;
    digests.add(chunk);
  }
  return { digests: allDigests(digests.end()), size };
}
