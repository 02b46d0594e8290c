import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import { OperatorError } from "../../platform/errors/operator-error.ts";
import type { Sequence } from "./store.ts";

/** Everything an installation holds at one moment: in a database and a storage, or in a backup. */
export interface Content {
  /** The last migration applied to the tables. */
  schema: string;
  /** Copies of one installation have the same. */
  installation: string;
  /** In the order of their foreign keys: referenced tables first. */
  tables: readonly ContentTable[];
  /** The rows in the text form of COPY, sorted by the primary key. Throws `Damaged` at the end if they have changed. */
  readTable(name: string): AsyncIterable<Uint8Array>;
  /** Every object that a row names, sorted: its digest, a tab, its size, a line feed. */
  readObjectList(): AsyncIterable<Uint8Array>;
  readObject(digest: string): Promise<Readable>;
}

export interface ContentTable {
  name: string;
  columns: readonly string[];
  sequences: readonly Sequence[];
}

/** A backup, or a copy, that is damaged. */
export class Damaged extends OperatorError {}

export interface Measure {
  rows: number;
  sha256: string;
}

const lineFeed = 0x0a;

/** Counts and digests the lines that pass through; COPY writes one for each row. */
export function measuring(): { pass(lines: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>; measure(): Measure } {
  const hash = createHash("sha256");
  let rows = 0;
  return {
    async *pass(lines) {
      for await (const chunk of lines) {
        hash.update(chunk);
        for (let at = chunk.indexOf(lineFeed); at !== -1; at = chunk.indexOf(lineFeed, at + 1)) rows += 1;
        yield chunk;
      }
    },
    measure: () => ({ rows, sha256: hash.digest("hex") }),
  };
}

export async function measureOf(lines: AsyncIterable<Uint8Array>): Promise<Measure> {
  const { pass, measure } = measuring();
  for await (const _ of pass(lines));
  return measure();
}
