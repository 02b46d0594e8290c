import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { DigestName, Digests } from "../db/schema.ts";
import { type FromDigestThread, fileState, type ToDigestThread } from "./digest-messages.ts";
import { allDigests, digestNames, halves } from "./digests.ts";

/** Digests of a file that is being written, computed on threads of their own, which read it at their own pace. */
interface InProgress<Result> {
  /** So many bytes can be read. */
  written(size: number): void;
  /** All of it can be read, which are so many bytes. */
  end(size: number): Promise<Result>;
  /** Resolves when the file is no longer open, so that removing it frees its room. */
  abandon(): Promise<unknown>;
}
export type DigestsInProgress = InProgress<Digests>;

const idleMs = 10_000;

/** One thread would be busy with a larger file long after everything else is done; to start another takes some 30 ms. */
const sharedFromBytes = availableParallelism() > 1 ? 32 * 1024 * 1024 : Number.POSITIVE_INFINITY;
const threads = new Map<number, DigestThread>();
let lastId = 0;

/** Computes digests on threads that all large uploads share; they end when there has been none for a while. */
export function startDigests(path: string, expectedBytes: number): DigestsInProgress {
  lastId += 1;
  const shares = expectedBytes < sharedFromBytes ? [digestNames] : halves;
  const parts = shares.map((names, number) => threadOf(number).start(lastId, path, names));
  return {
    written(size) {
      for (const part of parts) part.written(size);
    },
    end(size) {
      const digests = Promise.all(parts.map((part) => part.end(size))).then((found) => allDigests(...found));
      digests.catch(() => {}); // reported by what waits for it
      return digests;
    },
    abandon: () => Promise.all(parts.map((part) => part.abandon())),
  };
}

function threadOf(number: number): DigestThread {
  const running = threads.get(number);
  if (running && !running.failed) return running;
  const thread = new DigestThread(() => threads.delete(number));
  threads.set(number, thread);
  return thread;
}

class DigestThread {
  failed: Error | undefined;
  readonly #worker = new Worker(new URL("./digest-thread.ts", import.meta.url), {
    env: {},
    execArgv: [],
    // It has next to no objects.
    resourceLimits: { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 16 },
  });
  readonly #ends: () => void;
  readonly #files = new Map<number, PromiseWithResolvers<Partial<Digests>>>();
  #idle: NodeJS.Timeout | undefined;

  /** `ends` is called before the thread ends, since nothing may be sent to it from then on. */
  constructor(ends: () => void) {
    this.#ends = ends;
    this.#worker.on("message", (message: FromDigestThread) => this.#hear(message));
    this.#worker.on("error", (error) => this.#fail(error instanceof Error ? error : new Error(String(error))));
    this.#worker.on("exit", () => this.#fail(new Error("the thread that computes digests ended")));
    this.#worker.unref();
  }

  start(id: number, path: string, names: readonly DigestName[]): InProgress<Partial<Digests>> {
    clearTimeout(this.#idle);
    const digests = Promise.withResolvers<Partial<Digests>>();
    digests.promise.catch(() => {}); // reported where all of them are joined
    this.#files.set(id, digests);
    this.#worker.ref();
    const send = (message: ToDigestThread) => {
      if (this.#files.has(id)) this.#worker.postMessage(message);
    };
    const state = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    send({ id, begin: { path, names, state } });
    return {
      written: (written) => send({ id, written }),
      end: (written) => {
        send({ id, written, end: true });
        return digests.promise;
      },
      abandon: () => {
        const before = Atomics.exchange(state, 0, fileState.abandoned);
        if (before === fileState.waiting) this.#hear({ id, digests: {} });
        else send({ id, abandoned: true }); // which wakes it if it has nothing to do
        return Promise.allSettled([digests.promise]);
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
    this.#ends();
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
