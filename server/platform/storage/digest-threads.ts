import { Worker } from "node:worker_threads";
import type { DigestName, Digests } from "../db/schema.ts";

export const digestNames = ["md5", "sha1", "sha224", "sha256", "sha384", "sha512"] as const satisfies DigestName[];

/** Messages to the thread: a block of a stream, its end, or that its digests are no longer needed. */
export type ToDigestThread = { stream: number } & ({ block: Uint8Array } | { end: "digests" | "nothing" });
/** Messages from the thread, one for each block and one with the digests. */
export interface FromDigestThread {
  stream: number;
  digests?: Digests;
}

/** Digests in progress on a thread of their own. */
interface DigestsInProgress {
  /** Resolves when the thread has read the block, which must not change until then. */
  add(block: Uint8Array): Promise<void>;
  end(): Promise<Digests>;
  abandon(): void;
}

const idleMs = 10_000;

interface Stream {
  /** Blocks that the thread has not read yet. */
  unread: PromiseWithResolvers<void>[];
  digests: PromiseWithResolvers<Digests>;
}

let thread: DigestThread | undefined;
let lastStream = 0;

/** Computes digests on a thread that all large uploads share; it ends when there has been none for a while. */
export function startDigests(): DigestsInProgress {
  if (!thread || thread.failed) thread = new DigestThread();
  return thread.start(++lastStream);
}

class DigestThread {
  failed: Error | undefined;
  readonly #worker = new Worker(new URL("./digest-thread.ts", import.meta.url), {
    env: {},
    execArgv: [],
    // It has next to no objects.
    resourceLimits: { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 16 },
  });
  readonly #streams = new Map<number, Stream>();
  #idle: NodeJS.Timeout | undefined;

  constructor() {
    this.#worker.on("message", (message: FromDigestThread) => this.#hear(message));
    this.#worker.on("error", (error) => this.#fail(error instanceof Error ? error : new Error(String(error))));
    this.#worker.on("exit", () => this.#fail(new Error("the thread that computes digests ended")));
    this.#worker.unref();
  }

  start(id: number): DigestsInProgress {
    clearTimeout(this.#idle);
    const stream: Stream = { unread: [], digests: Promise.withResolvers<Digests>() };
    stream.digests.promise.catch(() => {}); // reported by what waits for it
    this.#streams.set(id, stream);
    this.#worker.ref();
    const check = () => {
      if (this.failed) throw this.failed;
    };
    return {
      add: async (block) => {
        check();
        this.#send({ stream: id, block });
        const read = Promise.withResolvers<void>();
        stream.unread.push(read);
        return read.promise;
      },
      end: async () => {
        check();
        this.#send({ stream: id, end: "digests" });
        return stream.digests.promise.finally(() => this.#forget(id));
      },
      abandon: () => {
        if (!this.failed) this.#send({ stream: id, end: "nothing" });
        this.#forget(id);
      },
    };
  }

  #send(message: ToDigestThread): void {
    this.#worker.postMessage(message);
  }

  #hear({ stream: id, digests }: FromDigestThread): void {
    const stream = this.#streams.get(id);
    if (!stream) return;
    if (digests) {
      stream.digests.resolve(digests);
      return;
    }
    stream.unread.shift()?.resolve();
  }

  #forget(id: number): void {
    this.#streams.delete(id);
    if (this.#streams.size > 0 || this.failed) return;
    this.#worker.unref();
    this.#idle = setTimeout(() => void this.#worker.terminate(), idleMs).unref();
  }

  #fail(error: Error): void {
    if (this.failed) return;
    this.failed = error;
    clearTimeout(this.#idle);
    for (const { unread, digests } of this.#streams.values()) {
      for (const read of unread) read.reject(error);
      digests.reject(error);
    }
  }
}
