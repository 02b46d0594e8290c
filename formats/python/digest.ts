import { sha256, sha384, sha512 } from "@noble/hashes/sha2.js";

/** A hash in progress. */
export interface Digest {
  update(bytes: Uint8Array): unknown;
  digest(): Uint8Array;
}

/** The algorithms that RECORD may use: SHA-256 or better. */
const algorithms = { sha256, sha384, sha512 } as const;
const isKnown = (name: string): name is keyof typeof algorithms => Object.hasOwn(algorithms, name);

/** Undefined for any other algorithm. Node's own hashes are ten times faster, but browsers have none of them. */
export function newDigest(algorithm: string): Digest | undefined {
  if (!isKnown(algorithm)) return undefined;
  const node = typeof process === "undefined" ? undefined : process.getBuiltinModule?.("node:crypto");
  return node ? node.createHash(algorithm) : algorithms[algorithm].create();
}
