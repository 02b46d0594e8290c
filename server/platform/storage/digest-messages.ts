import type { DigestName, Digests } from "../db/schema.ts";

/** A file whose digests are to be computed. */
export interface BegunFile {
  path: string;
  names: readonly DigestName[];
  /** A `fileState`, shared because a message would arrive only after all that was sent before it. */
  state: Int32Array<SharedArrayBuffer>;
}
/** Nobody needs the digests of an abandoned file, which the thread closes, or does not open. */
export const fileState = { waiting: 0, open: 1, abandoned: 2 } as const;

/** Messages to a thread: a file is begun, so much of it is written, it is complete, or one was abandoned. */
export type ToDigestThread = { id: number } & (
  | { begin: BegunFile }
  | { written: number; end?: boolean }
  | { abandoned: true }
);
/** What a thread answers, once for each file, when it has closed it; an abandoned one has no digests. */
export type FromDigestThread = { id: number } & ({ digests: Partial<Digests> } | { failure: string });
