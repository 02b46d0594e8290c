import { availableParallelism } from "node:os";
import { Unavailable } from "../errors/refusal.ts";
import type { Lane as LaneName, Task } from "./task.ts";
import { deadlineMs, type Job, type RunOptions, type WorkerOptions, WorkerProcess } from "./worker-process.ts";

/** Larger machines do not need more; each may use as much memory as its limit. */
export const mostWorkers = 8;
/**
 * Shortest queue time before the client is asked to try again; a busy machine may need part of it to start a worker.
 */
const leastWaitMs = 60_000;
/** How many users' last turns are remembered. */
const mostRemembered = 10_000;
/** A worker that fails to start three times in a row will not start the fourth time either. */
const mostFailedStarts = 3;

/** Everything that parses user input runs here, in separate processes with limits. */
export interface Workers {
  /**
   * Throws what the task throws (`UnacceptablePackage`, `UpstreamFailure`), or a `LimitReached` that names the exceeded
   * limit of time or memory, or a `Refusal` that asks to try again when too many tasks wait.
   */
  run<Input, Output>(task: Task<Input, Output>, input: Input, options?: RunOptions): Promise<Output>;
  /** Tasks that wait for a worker. */
  readonly waiting: number;
  /** Ends the workers, whatever they are doing. */
  close(): Promise<void>;
}

export function createWorkers(options: WorkerOptions): Workers {
  const count = options.settings["workers.count"] ?? Math.min(availableParallelism(), mostWorkers);
  const lanes: Record<LaneName, Lane> = {
    requests: new Lane(1, options),
    archives: new Lane(count, options),
    documents: new Lane(Math.max(1, Math.floor(count / 2)), options),
    inspections: new Lane(Math.max(1, Math.floor(count / 2)), options),
  };
  return {
    // The task declaration types the output; the process runs the function of that name.
    run: ({ name, lane }, input, options = {}) => lanes[lane].run(name, input, options) as Promise<never>,
    get waiting() {
      return Object.values(lanes).reduce((sum, lane) => sum + lane.waiting, 0);
    },
    async close() {
      await Promise.all(Object.values(lanes).map((lane) => lane.close()));
    },
  };
}

/** A queue, and the workers that take from it. */
class Lane {
  readonly #size: number;
  readonly #options: WorkerOptions;
  readonly #queue: Job[] = [];
  readonly #workers = new Set<WorkerProcess>();
  #failedStarts = 0;
  #closed = false;
  /** When each user had a turn, by number. */
  readonly #turns = new Map<number, number>();
  #turn = 0;

  constructor(size: number, options: WorkerOptions) {
    this.#size = size;
    this.#options = options;
  }

  get waiting(): number {
    return this.#queue.length;
  }

  run(name: string, input: unknown, options: RunOptions): Promise<unknown> {
    const { settings } = this.#options;
    const { signal } = options;
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (this.#closed) return Promise.reject(new Unavailable("shutdown"));
    if (this.#queue.length >= settings["workers.queue"]) return Promise.reject(new Unavailable("workers"));
    return new Promise<unknown>((resolve, reject) => {
      const abandon = () => this.#abandon(job);
      const job: Job = {
        name,
        input,
        options,
        settle: {
          resolve(output) {
            signal?.removeEventListener("abort", abandon);
            resolve(output);
          },
          reject(error) {
            signal?.removeEventListener("abort", abandon);
            reject(error);
          },
        },
        waiting: setTimeout(
          () => {
            this.#queue.splice(this.#queue.indexOf(job), 1);
            job.settle.reject(new Unavailable("workers"));
          },
          Math.max(leastWaitMs, 3 * deadlineMs(settings, {})),
        ),
      };
      signal?.addEventListener("abort", abandon);
      this.#queue.push(job);
      this.#hand();
    });
  }

  #abandon(job: Job): void {
    const index = this.#queue.indexOf(job);
    if (index < 0) {
      for (const worker of this.#workers) if (worker.job === job) worker.abandon(job);
      return;
    }
    this.#queue.splice(index, 1);
    clearTimeout(job.waiting);
    job.settle.reject(job.options.signal?.reason);
  }

  /** Gives waiting tasks to workers that are free, and starts workers while there are too few. */
  #hand(): void {
    while (this.#queue.length > 0 && !this.#closed) {
      const free = [...this.#workers].find((worker) => worker.isFree);
      if (!free) {
        const starting = [...this.#workers].filter((worker) => !worker.isReady).length;
        if (this.#workers.size < this.#size && starting < this.#queue.length) this.#start();
        return;
      }
      const job = this.#next();
      clearTimeout(job.waiting);
      free.take(job);
    }
  }

  #next(): Job {
    const running = new Map<number | undefined, number>();
    for (const { job } of this.#workers)
      if (job) running.set(job.options.whose, (running.get(job.options.whose) ?? 0) + 1);
    const runningFor = ({ options: { whose } }: Job) => (whose === undefined ? 0 : (running.get(whose) ?? 0));
    // With one worker nothing runs now; then the user who has waited longest since their last turn comes first.
    const lastTurn = ({ options: { whose } }: Job) => (whose === undefined ? 0 : (this.#turns.get(whose) ?? 0));
    const compare = (job: Job, other: Job) => runningFor(job) - runningFor(other) || lastTurn(job) - lastTurn(other);
    const index = this.#queue.reduce((best, job, at) => (compare(job, this.#queue[best] ?? job) < 0 ? at : best), 0);
    const [job] = this.#queue.splice(index, 1);
    if (!job) throw new Error("no task waits");
    if (this.#turns.size > mostRemembered) this.#turns.clear();
    if (job.options.whose !== undefined) this.#turns.set(job.options.whose, ++this.#turn);
    return job;
  }

  #start(): void {
    const worker = new WorkerProcess(this.#options, {
      free: () => {
        this.#failedStarts = 0;
        this.#hand();
      },
      gone: () => {
        this.#workers.delete(worker);
        if (!worker.isReady && !this.#closed) this.#failedStarts += 1;
        if (this.#failedStarts >= mostFailedStarts) {
          this.#failedStarts = 0;
          for (const { waiting, settle } of this.#queue.splice(0)) {
            clearTimeout(waiting);
            settle.reject(new Error("the processes of the workers cannot be started"));
          }
        }
        this.#hand();
      },
    });
    this.#workers.add(worker);
    this.#hand();
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const { waiting, settle } of this.#queue.splice(0)) {
      clearTimeout(waiting);
      settle.reject(new Unavailable("shutdown"));
    }
    await Promise.all([...this.#workers].map((worker) => worker.end()));
  }
}
