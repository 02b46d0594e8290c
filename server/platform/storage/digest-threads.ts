import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { DigestName, Digests } from "../db/schema.ts";
import { allDigests, halves } from "./digests.ts";

/** Messages to a thread: a file is begun, so much of it is written, it is complete, or nobody needs its digests. */
export type ToDigestThread = { id: number } & (
  | { begin: string }
  | { written: number }
  | { written: number; end: "digests" }
  | { end: "nothing" }
);
/** What a thread answers, once for each complete file. */
export type FromDigestThread = { id: number } & ({ digests: Partial<Digests> } | { failure: string });

/** Digests of a file that is being written, computed on threads of their own, which read it at their own pace. */
interface InProgress<Result> {
  /** So many bytes can be read. */
  written(size: number): void;
  /** All of it can be read, which are so many bytes. */
  end(size: number): Promise<Result>;
  abandon(): void;
}
export type DigestsInProgress = InProgress<Digests>;

const idleMs = 10_000;

/** One thread would be busy long after everything else is done. */
const shares: readonly (readonly DigestName[])[] = availableParallelism() > 1 ? halves : [halves.flat()];
const threads = new Map<readonly DigestName[], DigestThread>();
let lastId = 0;

/** Computes digests on threads that all large uploads share; they end when there has been none for a while. */
export function startDigests(path: string): DigestsInProgress {
  lastId += 1;
  const parts = shares.map((names) => threadOf(names).start(lastId, path));
  return {
    written(size) {
      for (const part of parts) part.written(size);
    },
    end(size) {
      const digests = Promise.all(parts.map((part) => part.end(size))).then((found) => allDigests(...found));
      digests.catch(() => {}); // reported by what waits for it
      return digests;
    },
    abandon() {
      for (const part of parts) part.abandon();
    },
  };
}

function threadOf(names: readonly DigestName[]): DigestThread {
  const running = threads.get(names);
  if (running && !running.failed) return running;
  const thread = new DigestThread(names);
  threads.set(names, thread);
  return thread;
}

class DigestThread {
  failed: Error | undefined;
  readonly #names: readonly DigestName[];
  readonly #worker: Worker;
  readonly #files = new Map<number, PromiseWithResolvers<Partial<Digests>>>();
  #idle: NodeJS.Timeout | undefined;

  constructor(names: readonly DigestName[]) {
    this.#names = names;
    this.#worker = new Worker(new URL("./digest-thread.ts", import.meta.url), {
      workerData: names,
      env: {},
      execArgv: [],
      // It has next to no objects.
      resourceLimits: { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 16 },
    });
    this.#worker.on("message", (message: FromDigestThread) => this.#hear(message));
    this.#worker.on("error", (error) => this.#fail(error instanceof Error ? error : new Error(String(error))));
    this.#worker.on("exit", () => this.#fail(new Error("the thread that computes digests ended")));
    this.#worker.unref();
  }

  start(id: number, path: string): InProgress<Partial<Digests>> {
    clearTimeout(this.#idle);
    const digests = Promise.withResolvers<Partial<Digests>>();
    digests.promise.catch(() => {}); // reported where all of them are joined
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
    if (threads.get(this.#names) === this) threads.delete(this.#names);
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
