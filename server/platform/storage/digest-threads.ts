import { Worker } from "node:worker_threads";
import type { Digests } from "../db/schema.ts";

/** Messages to the thread: a file is begun, so much of it is written, it is complete, or nobody needs its digests. */
export type ToDigestThread = { id: number } & (
  | { begin: string }
  | { written: number }
  | { written: number; end: "digests" }
  | { end: "nothing" }
);
/** What the thread answers, once for each complete file. */
export type FromDigestThread = { id: number } & ({ digests: Digests } | { failure: string });

/** The digests of a file that is being written, computed on a thread of their own, which reads it at its own pace. */
export interface DigestsInProgress {
  /** So many bytes can be read. */
  written(size: number): void;
  /** All of it can be read, which are so many bytes. */
  end(size: number): Promise<Digests>;
  abandon(): void;
}

const idleMs = 10_000;

let thread: DigestThread | undefined;
let lastId = 0;

/** Computes digests on a thread that all large uploads share; it ends when there has been none for a while. */
export function startDigests(path: string): DigestsInProgress {
  if (!thread || thread.failed) thread = new DigestThread();
  return thread.start(++lastId, path);
}

class DigestThread {
  failed: Error | undefined;
  readonly #worker = new Worker(new URL("./digest-thread.ts", import.meta.url), {
    env: {},
    execArgv: [],
    // It has next to no objects.
    resourceLimits: { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 16 },
  });
  readonly #files = new Map<number, PromiseWithResolvers<Digests>>();
  #idle: NodeJS.Timeout | undefined;

  constructor() {
    this.#worker.on("message", (message: FromDigestThread) => this.#hear(message));
    this.#worker.on("error", (error) => this.#fail(error instanceof Error ? error : new Error(String(error))));
    this.#worker.on("exit", () => this.#fail(new Error("the thread that computes digests ended")));
    this.#worker.unref();
  }

  start(id: number, path: string): DigestsInProgress {
    clearTimeout(this.#idle);
    const digests = Promise.withResolvers<Digests>();
    digests.promise.catch(() => {}); // reported by what waits for it
    this.#files.set(id, digests);
    this.#worker.ref();
    const send = (message: ToDigestThread) => {
      if (this.#files.has(id)) this.#worker.postMessage(message);
    };
    send({ id, begin: path });
    return {
      written: (written) => send({ id, written }),
      end: (written) => {
        send({ id, written, end: "digests" });
        return digests.promise;
      },
      abandon: () => {
        send({ id, end: "nothing" });
        this.#forget(id);
      },
    };
  }

  #hear(message: FromDigestThread): void {
    const digests = this.#files.get(message.id);
    if (!digests) return;
    if ("digests" in message) digests.resolve(message.digests);
    else digests.reject(new Error(message.failure));
    this.#forget(message.id);
  }

  #forget(id: number): void {
    this.#files.delete(id);
    if (this.#files.size > 0 || this.failed) return;
    this.#worker.unref();
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.#end(), idleMs).unref();
  }

  #end(): void {
    // Nothing may be sent to a thread that is about to end.
    if (thread === this) thread = undefined;
    void this.#worker.terminate();
  }

  #fail(error: Error): void {
    if (this.failed) return;
    this.failed = error;
    clearTimeout(this.#idle);
    for (const digests of this.#files.values()) digests.reject(error);
    this.#files.clear();
  }
}
