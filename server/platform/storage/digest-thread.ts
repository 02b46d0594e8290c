import { closeSync, openSync, readSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import type { DigestName } from "../db/schema.ts";
import type { FromDigestThread, ToDigestThread } from "./digest-threads.ts";
import { RunningDigests } from "./digests.ts";

/** Small enough to stay in the processor's cache while several digests are computed of it. */
const block = new Uint8Array(256 * 1024);

const files = new Map<number, HashedFile>();

/** A thread that `digest-threads.ts` starts. It reads files that are being written and never parses what is in them. */
parentPort?.on("message", (message: ToDigestThread) => {
  const { id } = message;
  try {
    if ("begin" in message) return void files.set(id, new HashedFile(message.begin, message.names));
    const file = files.get(id);
    if (!file) return; // it has failed
    if ("written" in message) file.readUntil(message.written);
    if ("end" in message) {
      files.delete(id);
      file.close();
      answer({ id, digests: message.end === "digests" ? file.digests.end() : {} });
    }
  } catch (error) {
    files.get(id)?.close();
    files.delete(id);
    answer({ id, failure: error instanceof Error ? error.message : String(error) });
  }
});

class HashedFile {
  readonly digests: RunningDigests;
  readonly #descriptor: number;
  #read = 0;

  constructor(path: string, names: readonly DigestName[]) {
    this.digests = new RunningDigests(names);
    this.#descriptor = openSync(path, "r");
  }

  readUntil(end: number): void {
    while (this.#read < end) {
      const length = readSync(this.#descriptor, block, 0, Math.min(block.byteLength, end - this.#read), this.#read);
      if (length === 0) throw new Error(`a staged file has ${this.#read} of ${end} bytes`);
      this.digests.add(block.subarray(0, length));
      this.#read += length;
    }
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

function answer(message: FromDigestThread): void {
  parentPort?.postMessage(message);
}
