import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { fromKysely, PgBoss, type QueueOptions, type QueueResult } from "pg-boss";
import type { Logger } from "pino";
import { z } from "zod";
import type { Db, OpenDatabase, Tx } from "../db/database.ts";
import { oneAtATime } from "../db/one-at-a-time.ts";
import { onePlan, statementName } from "../db/prepared/prepared-statements.ts";
import { traceparent } from "../observability/trace.ts";
import { unwatched } from "../observability/watch.ts";
import { type JobWatching, watchJobs } from "../observability/watch-jobs.ts";
import { holdWaitingJob, kindsOfDueJobs } from "./due-store.ts";
import type { Listener } from "./listener.ts";
import { createSlots } from "./slots.ts";

/** Every kind of job with its payload. A job is idempotent: it may run twice, and again after a crash. */
interface JobPayloads {
  "publish-repository": { repositoryId: number };
  "copy-repository": { repositoryId: number };
  "sweep-objects": Record<never, never>;
  "prune-security-events": Record<never, never>;
  "sum-package-counts": Record<never, never>;
  "build-manual": { packageId: number };
  /** For packages from this id on whose archive was not read by this version of the program. */
  "read-facts": { afterId: number };
  /** A waiting package, and how it differs from its base. */
  "inspect-package": { packageId: number };
  /** Waiting packages from this id on that this version of the program has not inspected. */
  "inspect-waiting": { afterId: number };
  /** What ended for lack of time, which a busy machine may have lacked: an inspection, or a comparison with a base. */
  "inspect-again": { packageId: number; baseId: number | null; tries: number };
  "sweep-inspections": Record<never, never>;
  /** Mail about what has happened to a user. */
  "send-mail": { userId: number };
  /** Notices about time: of the day, and until tokens end. */
  "collect-mail": Record<never, never>;
  /** With the mirrors of one schedule (cron), or with all of them. */
  "synchronize-mirrors": { repositoryId: number; schedule: string | null };
}
const payloads: { [Name in keyof JobPayloads]: z.ZodType<JobPayloads[Name]> } = {
  "publish-repository": z.object({ repositoryId: z.int() }),
  "copy-repository": z.object({ repositoryId: z.int() }),
  "sweep-objects": z.object({}),
  "prune-security-events": z.object({}),
  "sum-package-counts": z.object({}),
  "build-manual": z.object({ packageId: z.int() }),
  "read-facts": z.object({ afterId: z.int() }),
  "inspect-package": z.object({ packageId: z.int() }),
  "inspect-waiting": z.object({ afterId: z.int() }),
  "inspect-again": z.object({ packageId: z.int(), baseId: z.int().nullable(), tries: z.int() }),
  "sweep-inspections": z.object({}),
  "send-mail": z.object({ userId: z.int() }),
  "collect-mail": z.object({}),
  "synchronize-mirrors": z.object({ repositoryId: z.int(), schedule: z.string().nullable() }),
};

/** In addition to a job's payload: the trace in which it was requested. */
const caused = z.object({ traceparent: z.string().optional() });

const jobNames = Object.keys(payloads) as JobName[]; // the keys of a constant

/** Scheduled jobs, as cron expressions (UTC); once for all replicas together. */
const schedules: Partial<Record<JobName, string>> = {
  "sweep-objects": "23 * * * *",
  "sweep-inspections": "27 * * * *",
  "prune-security-events": "41 * * * *",
  "sum-package-counts": "* * * * *",
  "collect-mail": "2 * * * *",
};

type JobName = keyof JobPayloads;

interface Concurrency {
  /** Jobs per call of the handler. */
  batchSize: number;
  /** Handlers that run concurrently in this process. */
  localConcurrency: number;
}

/** A scheduled job that is defined by data, not by the program. */
export interface ScheduledJob<Name extends JobName> {
  /** Its key for changes and removal: letters, digits, `-`. */
  key: string;
  /** In the time zone of the server. */
  cron: string;
  payload: JobPayloads[Name];
}

export interface Jobs {
  /**
   * Part of the transaction that causes the job: if rolled back, it never runs; if committed, it cannot be lost. It
   * runs immediately, or after some seconds.
   */
  enqueue<Name extends JobName>(
    tx: Db | Tx,
    name: Name,
    payload: JobPayloads[Name],
    afterSeconds?: number,
  ): Promise<void>;
  /**
   * The same for a job that is needed only if the process ends or fails: many changes share one. It runs at least some
   * seconds after the transaction began, and at most as many again later.
   */
  enqueueRescue<Name extends JobName>(
    tx: Db | Tx,
    name: Name,
    payload: JobPayloads[Name],
    afterSeconds: number,
  ): Promise<void>;
  /**
   * Registers the handler for jobs of this kind; called before `start`. The handler gets all waiting jobs, and if it
   * throws all of them are retried with increasing delays.
   */
  work<Name extends JobName>(
    name: Name,
    handler: (jobs: JobPayloads[Name][]) => Promise<void>,
    most?: Partial<Concurrency>,
  ): void;
  /** Whether a job of this kind is due that no handler has taken yet. */
  isDue(name: JobName): Promise<boolean>;
  /** Replaces the scheduled jobs of a kind by exactly these; called after `start`. */
  schedule<Name extends JobName>(name: Name, jobs: readonly ScheduledJob<Name>[]): Promise<void>;
  start(): Promise<void>;
  /** Only opens the queue, so that jobs can be enqueued; other processes run them. `start` may follow. */
  open(): Promise<void>;
  /** Lets running jobs finish; those that do not finish in this time go back to the queue for any server. */
  stop(withinMs: number): Promise<void>;
}

const queue: QueueOptions & { notify: boolean } = {
  notify: true,
  retryLimit: 30,
  retryBackoff: true,
  retryDelay: 1,
  retryDelayMax: 300,
  // A worker that died is noticed by its missing heartbeat; the job then goes to another one.
  heartbeatSeconds: 30,
  expireInSeconds: 3600,
  deleteAfterSeconds: 3600,
};

/** Copying a whole repository takes hours: while its heartbeat arrives, the job does not count as lost. */
const queues: Partial<Record<JobName, QueueOptions>> = {
  "copy-repository": { expireInSeconds: 24 * 3600 },
  "synchronize-mirrors": { expireInSeconds: 24 * 3600 },
};

const hasOptions = (existing: QueueResult, options: QueueOptions): boolean =>
  isDeepStrictEqual({ ...existing, ...options }, { ...existing });

const usual = { batchSize: 100, localConcurrency: 1 };

/** How often each worker asks by itself: without notifications, and with them. */
const intervals = { pollingIntervalSeconds: 2, notifyPollingIntervalSeconds: 60 };

/** Notifications tell of jobs that may run immediately. Others, and retries, become due with time. */
const lookForDueMs = 3_000;

/** Even a server that must stop immediately lets its jobs write what they have done. */
const shortestStopMs = 1_000;

/** All workers begin at the same moment; more connections, of a few megabytes each, would be kept for that. */
const statementsAtOnce = 2;

/** A queue in the same database, woken by notifications, and by a look at what is due every few seconds. */
export function createJobs(
  { db, pool }: Pick<OpenDatabase, "db" | "pool">,
  listener: Listener,
  log: Logger,
  watching: JobWatching = { watch: unwatched, recorder: undefined },
): Jobs {
  const inTurns = createSlots(statementsAtOnce);
  // What the workers ask for takes longer to plan than to run. Without values, it may be several statements.
  const send = (text: string, values: unknown[] = []) =>
    inTurns(() => pool.query(values.length > 0 ? { name: statementName(text), text, values } : text));
  const boss = new PgBoss({
    schema: "jobs",
    useListenNotify: true,
    db: {
      executeSql: send,
      listen: (channel, heard, reconnected) => listener.listen(channel, heard, reconnected),
    },
  });
  boss.on("error", (error) => log.error({ err: error }, "job queue"));
  boss.on("warning", ({ message, data }) => log.warn({ data }, message));
  const workers: { name: string; begin(): Promise<string> }[] = [];
  const ending = new AbortController();
  let opened = false;

  /** All workers that asked by themselves would send a statement each, on an idle server too. */
  async function wakeWorkers(begun: readonly { name: string; id: string }[]): Promise<void> {
    const { signal } = ending;
    while (!signal.aborted) {
      await sleep(lookForDueMs, undefined, { ref: false, signal }).catch(() => {}); // the queue ends
      if (signal.aborted) return;
      try {
        const due = await kindsOfDueJobs(send);
        for (const { name, id } of begun) if (due.has(name)) boss.notifyWorker(id);
      } catch (error) {
        if (!signal.aborted) log.error({ err: error }, "job queue");
      }
    }
  }

  const jobs: Jobs = {
    async enqueue(tx, name, payload, afterSeconds = 0) {
      await boss.send(
        name,
        { ...payload, traceparent: traceparent() },
        {
          db: { executeSql: (text, values) => fromKysely(tx).executeSql(onePlan + text, values) },
          startAfter: afterSeconds,
        },
      );
    },
    async enqueueRescue(tx, name, payload, afterSeconds) {
      if (await holdWaitingJob(tx, name, payload, afterSeconds)) return;
      await jobs.enqueue(tx, name, payload, 2 * afterSeconds);
    },
    work(name, handler, most = {}) {
      const { batchSize, localConcurrency } = { ...usual, ...most };
      const begin = async () => {
        let worker = "";
        worker = await boss.work(name, { ...intervals, batchSize }, async (jobs) => {
          const given = jobs.map(({ data }) => payloads[name].parse(data));
          const causes = jobs.map(({ data }) => caused.parse(data).traceparent);
          try {
            await watchJobs(watching, name, causes, () => handler(given));
          } finally {
            // There may be more, for which the queue would look only after its interval.
            if (jobs.length === batchSize) boss.notifyWorker(worker);
          }
        });
        return worker;
      };
      for (let number = 0; number < localConcurrency; number += 1) workers.push({ name, begin });
    },
    isDue: async (name) => (await kindsOfDueJobs(send)).has(name),
    async schedule(name, jobs) {
      const keys = new Set(jobs.map(({ key }) => key));
      for (const { key } of await boss.getSchedules(name)) if (!keys.has(key)) await boss.unschedule(name, key);
      const tz = Intl.DateTimeFormat().resolvedOptions().timeZone;
      for (const { key, cron, payload } of jobs) await boss.schedule(name, cron, payload, { key, tz });
    },
    async start() {
      await jobs.open();
      const begun: { name: string; id: string }[] = [];
      for (const { name, begin } of workers) begun.push({ name, id: await begin() });
      void wakeWorkers(begun);
    },
    async open() {
      if (opened) return;
      opened = true;
      // On an empty database, replicas that start at the same time would create the queue's tables concurrently, and
      // fail.
      await oneAtATime(db, "start", async () => {
        await boss.start();
        // Each change is a transaction, and each worker reads a changed queue again: most starts need none.
        const known = new Map((await boss.getQueues()).map((one) => [one.name, one]));
        for (const name of jobNames) {
          const options = { ...queue, ...queues[name] };
          const existing = known.get(name);
          if (!existing) await boss.createQueue(name, options);
          else if (!hasOptions(existing, options)) await boss.updateQueue(name, options);
        }
        const crons = new Map((await boss.getSchedules()).map((one) => [one.name, one.cron]));
        for (const [name, cron] of Object.entries(schedules))
          if (crons.get(name) !== cron) await boss.schedule(name, cron, {});
      });
    },
    async stop(withinMs) {
      ending.abort();
      // The queue itself only checks every half second whether its workers have ended.
      const ended = Promise.all(jobNames.map((name) => boss.offWork(name)));
      await Promise.race([ended, sleep(Math.max(withinMs, shortestStopMs), undefined, { ref: false })]);
      await boss.stop({ graceful: false });
    },
  };
  return jobs;
}
