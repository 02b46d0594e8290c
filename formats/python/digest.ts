import { sha256, sha384, sha512 } from "@noble/hashes/sha2.js";

/** A hash that is being computed. */
export interface Digest {
  update(bytes: Uint8Array): unknown;
  digest(): Uint8Array;
}

/** Those that RECORD may have: SHA-256 or better. */
const algorithms = { sha256, sha384, sha512 } as const;
const isKnown = (name: string): name is keyof typeof algorithms => Object.hasOwn(algorithms, name);

/** Undefined for an algorithm that is none of these. Node's own are ten times faster, and a browser has none of them. */
export function newDigest(algorithm: string): Digest | undefined {
  if (!isKnown(algorithm)) return undefined;
  const node = typeof process === "undefined" ? undefined : process.getBuiltinModule?.("node:crypto");
  return node ? node.createHash(algorithm) : algorithms[algorithm].create();
}
