import { createHash } from "node:crypto";
import type { DigestName, Digests } from "../db/schema.ts";

const digestNames = ["md5", "sha1", "sha224", "sha256", "sha384", "sha512"] as const satisfies DigestName[];

/** All digests of bytes that come one after the other. */
export class RunningDigests {
  readonly #hashes = digestNames.map((name) => ({ name, hash: createHash(name) }));

  add(bytes: Uint8Array): this {
    for (const { hash } of this.#hashes) hash.update(bytes);
    return this;
  }

  /** Lower-case hexadecimal; nothing can be added after that. */
  end(): Digests {
    return Object.fromEntries(this.#hashes.map(({ name, hash }) => [name, hash.digest("hex")])) as Digests; // one for each name
  }
}

/** All digests of streamed bytes, and their number. */
export async function digestsOfStream(chunks: AsyncIterable<Uint8Array>): Promise<{ digests: Digests; size: number }> {
  const digests = new RunningDigests();
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.byteLength;
    digests.add(chunk);
  }
  return { digests: digests.end(), size };
}
