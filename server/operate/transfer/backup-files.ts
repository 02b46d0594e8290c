import { createReadStream, createWriteStream } from "node:fs";
import { open } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { Damaged, type Measure, measuring } from "./content.ts";

// They hold digests of passwords and tokens, and the key that signs sessions.
const forOwnerAlone = 0o600;

/** Writes lines to a new file, compressed and synced to disk. */
export async function writeLines(path: string, lines: AsyncIterable<Uint8Array>): Promise<Measure> {
  const { pass, measure } = measuring();
  const file = createWriteStream(path, { flags: "wx", mode: forOwnerAlone, flush: true });
  await pipeline(pass(lines), createGzip({ level: 1 }), file);
  return measure();
}

/** Reads such a file. Throws `Damaged`, at the latest at its end, if it is not what was written. */
export async function* readLines(path: string, written: Measure): AsyncIterable<Uint8Array> {
  const { pass, measure } = measuring();
  const file = createReadStream(path);
  const gunzip = file.pipe(createGunzip());
  file.once("error", (error) => gunzip.destroy(error));
  try {
    yield* pass(gunzip);
  } catch (error) {
    throw new Damaged(`${path} cannot be read: ${error instanceof Error ? error.message : "unknown reason"}`);
  } finally {
    file.destroy();
  }
  const { rows, sha256 } = measure();
  if (rows !== written.rows || sha256 !== written.sha256) throw new Damaged(`${path} is damaged.`);
}

export async function writeText(path: string, text: string): Promise<void> {
  const file = await open(path, "wx", forOwnerAlone);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}
