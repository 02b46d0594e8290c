import { closeSync, openSync, readSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import type { Digests } from "../db/schema.ts";
import { type BegunFile, type FromDigestThread, fileState, type ToDigestThread } from "./digest-messages.ts";
import { RunningDigests } from "./digests.ts";

/** Small enough to stay in the processor's cache while several digests are computed of it. */
const block = new Uint8Array(256 * 1024);

const files = new Map<number, HashedFile>();

/** A thread that `digest-threads.ts` starts. It reads files that are being written and never parses what is in them. */
parentPort?.on("message", (message: ToDigestThread) => {
  const { id } = message;
  try {
    if ("begin" in message) return begin(id, message.begin);
    if ("abandoned" in message) return closeAbandoned();
    const file = files.get(id);
    if (!file) return; // it has failed, or was abandoned
    while (files.has(id) && file.readBlock(message.written)) closeAbandoned();
    if (message.end && files.has(id)) end(id, file, { digests: file.digests.end() });
  } catch (error) {
    end(id, files.get(id), { failure: error instanceof Error ? error.message : String(error) });
  }
});

function begin(id: number, file: BegunFile): void {
  const before = Atomics.compareExchange(file.state, 0, fileState.waiting, fileState.open);
  if (before === fileState.waiting) files.set(id, new HashedFile(file));
}

/** After each block, as there may be much left to read of the other files. */
function closeAbandoned(): void {
  for (const [id, file] of files) if (file.isAbandoned()) end(id, file, { digests: {} });
}

function end(id: number, file: HashedFile | undefined, result: { digests: Partial<Digests> } | { failure: string }) {
  files.delete(id);
  file?.close();
  const answer: FromDigestThread = { id, ...result };
  parentPort?.postMessage(answer);
}

class HashedFile {
  readonly digests: RunningDigests;
  readonly #descriptor: number;
  readonly #state: BegunFile["state"];
  #read = 0;

  constructor({ path, names, state }: BegunFile) {
    this.digests = new RunningDigests(names);
    this.#descriptor = openSync(path, "r");
    this.#state = state;
  }

  /** Returns whether there was one among so many bytes of the file. */
  readBlock(written: number): boolean {
    if (this.#read >= written) return false;
    const length = readSync(this.#descriptor, block, 0, Math.min(block.byteLength, written - this.#read), this.#read);
    if (length === 0) throw new Error(`a staged file has ${this.#read} of ${written} bytes`);
    this.digests.add(block.subarray(0, length));
    this.#read += length;
    return true;
  }

  isAbandoned(): boolean {
    return Atomics.load(this.#state, 0) === fileState.abandoned;
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}
