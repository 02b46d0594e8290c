import { type ChildProcess, fork } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { type ByteSource, isMemorySource } from "@packhouse/formats/byte-source";
import { UnacceptablePackage } from "@packhouse/formats/unacceptable-package";
import type { Logger } from "pino";
import { Unavailable } from "../errors/refusal.ts";
import { UpstreamFailure } from "../errors/upstream-failure.ts";
import type { TaskEnd, Watch } from "../observability/watch.ts";
import type { Settings } from "../settings/settings.ts";
import { isFileSource } from "../storage/staging.ts";
import type { FromWorker, SourceOfTask, TaskFailure, ToWorker, WorkLimit } from "./messages.ts";
import { LimitReached, TaskDefect, WorkerEnded } from "./task-errors.ts";

const idleMs = 60_000;
const startMs = 60_000;
/** A legitimate archive of a gigabyte takes longer than one of a kilobyte. */
const bytesPerSecond = 20 * 1024 * 1024;
/** In addition to the heap of JavaScript: the buffers, and the program itself. */
const outsideHeapMegabytes = 384;
const memoryLookMs = 200;
const youngMegabytes = 8;
/** How long an abandoned task may still run: starting another worker would cost more than the rest of a short task. */
const abandonedAfterMs = 1_000;
const keptErrorCharacters = 4000;

export interface RunOptions {
  source?: ByteSource | undefined;
  /** Further files, for a task that compares. */
  others?: readonly ByteSource[] | undefined;
  /** In addition to the limits of all tasks. The memory is what the task needs beyond the program itself. */
  limits?: { seconds: number; megabytes: number } | undefined;
  /** The user it runs for: when workers are scarce, users with fewer running tasks come first. */
  whose?: number | undefined;
  /** Receives what the task emits, as it arrives. */
  onPiece?: ((bytes: Uint8Array) => void) | undefined;
  /** Aborted when no one waits for the task any more. */
  signal?: AbortSignal | undefined;
}

export interface WorkerOptions {
  settings: Pick<Settings, "workers.count" | "workers.seconds" | "workers.heapMegabytes" | "workers.queue">;
  watch: Pick<Watch, "taskEnded">;
  log: Logger;
  /** The module that the processes run; tests use one that also misbehaves. */
  program: string;
}

export interface Job {
  name: string;
  input: unknown;
  options: RunOptions;
  waiting: NodeJS.Timeout;
  settle: { resolve(output: unknown): void; reject(error: unknown): void };
}

/**
 * A process instead of a thread, because the limit of a thread's heap does not hold: a single large allocation beyond
 * it ends the whole process (measured with a large map, a split string and a global match). Its environment is empty,
 * so that code that reads a hostile file has no access to secrets.
 */
export class WorkerProcess {
  job: Job | undefined;
  isReady = false;
  readonly #child: ChildProcess;
  readonly #options: WorkerOptions;
  readonly #on: { free(): void; gone(): void };
  readonly #gone = Promise.withResolvers<void>();
  #started = 0;
  #exceeded: WorkLimit | undefined;
  #ended = false;
  #sourceError: unknown;
  #errorText = "";
  #timers: NodeJS.Timeout[] = [];

  constructor(options: WorkerOptions, on: { free(): void; gone(): void }) {
    this.#options = options;
    this.#on = on;
    this.#child = fork(options.program, {
      env: {},
      execArgv: [
        `--max-old-space-size=${options.settings["workers.heapMegabytes"]}`,
        // With more space for young objects, what lives on is scattered over twice as many pages.
        `--max-semi-space-size=${youngMegabytes}`,
        "--disable-warning=ExperimentalWarning",
      ],
      serialization: "advanced",
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    const child = this.#child;
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#errorText = (this.#errorText + text).slice(-keptErrorCharacters);
    });
    child.on("message", (message) => this.#hear(message as FromWorker)); // only `worker.ts` runs there
    child.on("error", () => child.kill("SIGKILL"));
    child.once("exit", (code, signal) => this.#exited(code, signal));
    this.#timers = [setTimeout(() => child.kill("SIGKILL"), startMs)];
    // When memory runs out, the system ends a worker before it ends the server.
    if (child.pid !== undefined) writeFile(`/proc/${child.pid}/oom_score_adj`, "1000").catch(() => undefined);
  }

  get isFree(): boolean {
    return this.isReady && this.job === undefined && !this.#ended;
  }

  take(job: Job): void {
    const { settings } = this.#options;
    this.job = job;
    this.#started = performance.now();
    this.#hold(true);
    const before = job.options.limits ? this.#megabytes() : undefined;
    const look = setInterval(() => void this.#lookAtMemory(before), memoryLookMs);
    this.#setTimers(
      look,
      setTimeout(() => this.#exceed("time"), deadlineMs(settings, job.options)),
    );
    try {
      this.#send({ type: "run", name: job.name, input: job.input, sources: sourcesOf(job.options).map(sentSource) });
    } catch (error) {
      this.#settle("failed", ({ settle }) => settle.reject(error)); // the input cannot be serialized
      this.#rest();
    }
  }

  /** Ends the task unless it completes in a moment. */
  abandon(job: Job): void {
    const ran = performance.now() - this.#started;
    const end = () => {
      if (this.job !== job) return;
      this.#settle("abandoned", ({ settle }) => settle.reject(job.options.signal?.reason));
      void this.end();
    };
    setTimeout(end, Math.max(0, abandonedAfterMs - ran)).unref();
  }

  async end(): Promise<void> {
    this.#ended = true;
    this.#child.kill("SIGKILL");
    await this.#gone.promise;
  }

  #hear(message: FromWorker): void {
    switch (message.type) {
      case "ready":
        this.isReady = true;
        this.#rest();
        return;
      case "read":
        void this.#read(message);
        return;
      case "piece":
        this.job?.options.onPiece?.(message.bytes);
        return;
      case "done":
        this.#settle("done", (job) => job.settle.resolve(message.output));
        this.#rest();
        return;
      case "failed": {
        const error = this.#sourceError ?? errorOf(message.failure, this.#options.settings, this.job?.options ?? {});
        const { kind } = message.failure;
        this.#settle(kind === "limit" ? message.failure.limit : kind === "defect" ? "failed" : "refused", (job) =>
          job.settle.reject(error),
        );
        this.#rest();
        return;
      }
    }
  }

  async #read({ source, offset, length }: Extract<FromWorker, { type: "read" }>): Promise<void> {
    const { job } = this;
    try {
      const bytes = await (job && sourcesOf(job.options)[source])?.read(offset, length);
      if (job === this.job) this.#send(bytes ? { type: "bytes", bytes } : { type: "bytes-failed" });
    } catch (error) {
      if (job !== this.job) return;
      this.#sourceError = error;
      this.#send({ type: "bytes-failed" });
    }
  }

  #rest(): void {
    if (this.#ended) return;
    this.#setTimers(setTimeout(() => void this.end(), idleMs).unref());
    this.#hold(false);
    this.#on.free();
  }

  #settle(outcome: TaskEnd, how: (job: Job) => void): void {
    const { job } = this;
    if (!job) return;
    this.job = undefined;
    this.#sourceError = undefined;
    this.#setTimers();
    this.#options.watch.taskEnded({ task: job.name, outcome, seconds: (performance.now() - this.#started) / 1000 });
    how(job);
  }

  #exceed(limit: WorkLimit): void {
    this.#exceeded = limit;
    void this.end();
  }

  /** Linux shows a process's memory usage; elsewhere the heap limit has to suffice. */
  async #lookAtMemory(before: Promise<number> | undefined): Promise<void> {
    const { job } = this;
    const megabytes = await this.#megabytes();
    const own = job?.options.limits?.megabytes ?? Number.POSITIVE_INFINITY;
    const most = Math.min(
      this.#options.settings["workers.heapMegabytes"] + outsideHeapMegabytes,
      ((await before) ?? 0) + own,
    );
    if (job !== undefined && job === this.job && megabytes > most) this.#exceed("memory");
  }

  async #megabytes(): Promise<number> {
    const text = await readFile(`/proc/${this.#child.pid}/statm`, "utf8").catch(() => "");
    return (Number(text.split(" ")[1]) * 4096) / (1024 * 1024);
  }

  #exited(code: number | null, signal: NodeJS.Signals | null): void {
    const { log, settings } = this.#options;
    const wanted = this.#ended && this.#exceeded === undefined;
    this.#ended = true;
    this.#setTimers();
    // The engine aborts when its heap is full; the system may have run out of memory before that.
    const isMemory =
      signal === "SIGABRT" || signal === "SIGTRAP" || signal === "SIGKILL" || /out of memory/i.test(this.#errorText);
    const limit = this.#exceeded ?? (isMemory && !wanted ? "memory" : undefined);
    const { job } = this;
    if (limit && job) {
      const isGuess = this.#exceeded === undefined && signal === "SIGKILL";
      log.warn({ task: job.name, limit }, "a worker reached a limit and was stopped");
      this.#settle(limit, ({ settle }) => settle.reject(limitReached(limit, settings, job.options, isGuess)));
    } else if (job)
      this.#settle("failed", ({ settle }) =>
        settle.reject(wanted ? new Unavailable("shutdown") : new WorkerEnded("a worker ended")),
      );
    if (!wanted && !limit) log.error({ code, signal, output: this.#errorText }, "a worker ended");
    this.#gone.resolve();
    this.#on.gone();
  }

  #send(message: ToWorker): void {
    if (this.#child.connected) this.#child.send(message, () => undefined); // a lost process is noticed elsewhere
  }

  #setTimers(...timers: NodeJS.Timeout[]): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers = timers;
  }

  /** Whether it keeps the server's process alive. */
  #hold(on: boolean): void {
    const { channel, stderr } = this.#child;
    this.#child[on ? "ref" : "unref"]();
    channel?.[on ? "ref" : "unref"]();
    if (stderr && "unref" in stderr && typeof stderr.unref === "function") stderr.unref();
  }
}

const sourcesOf = ({ source, others = [] }: RunOptions): ByteSource[] => (source ? [source, ...others] : []);

/** Of larger files, a task may need a part only, which it asks for. */
const mostSentAlong = 64 * 1024;

function sentSource(source: ByteSource): SourceOfTask {
  const { size } = source;
  if (isFileSource(source)) return { path: source.path, size };
  return isMemorySource(source) && size <= mostSentAlong ? { bytes: source.bytes } : { size };
}

export function deadlineMs(settings: WorkerOptions["settings"], options: RunOptions): number {
  const bytes = sourcesOf(options).reduce((sum, { size }) => sum + size, 0);
  const seconds = settings["workers.seconds"] + bytes / bytesPerSecond;
  return Math.min(seconds, options.limits?.seconds ?? Number.POSITIVE_INFINITY) * 1000;
}

function limitReached(
  limit: WorkLimit,
  settings: WorkerOptions["settings"],
  options: RunOptions,
  isGuess = false,
): LimitReached {
  const megabytes = Math.min(settings["workers.heapMegabytes"], options.limits?.megabytes ?? Number.POSITIVE_INFINITY);
  const most =
    limit === "time" ? `${Math.ceil(deadlineMs(settings, options) / 1000)} seconds` : `${megabytes} MB of memory`;
  return new LimitReached(limit, most, isGuess);
}

function errorOf(failure: TaskFailure, settings: WorkerOptions["settings"], options: RunOptions): Error {
  switch (failure.kind) {
    case "unacceptable":
      return new UnacceptablePackage(failure.codes, failure.detail, failure.of);
    case "upstream":
      return new UpstreamFailure(failure.message);
    case "limit":
      return limitReached(failure.limit, settings, options);
    case "defect": {
      const error = new TaskDefect(failure.message);
      if (failure.stack !== undefined) error.stack = failure.stack;
      return error;
    }
  }
}
