import { limitCodes } from "@packhouse/contract/exceeded-limits";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { OpenDatabase } from "../db/database.ts";
import { unavailableReasons } from "../errors/refusal.ts";
import { productVersion } from "../product-version.ts";
import { boundedAnswer } from "./bounded-answer.ts";
import type { Watch } from "./watch.ts";

/** Numbers that only the database has, the same for all replicas. */
export interface Statistics {
  repositoriesBehind: number;
  /** Seconds since the oldest change that is not served yet; 0 if there is none. */
  publicationLagSeconds: number;
  /** Jobs that could run now and do not, by name. */
  jobsWaiting: ReadonlyMap<string, number>;
  /** Submissions that wait for a decision, the bytes of their packages, and the maximum of each for one user. */
  waiting: { submissions: number; bytes: number; mostOfUser: number; mostBytesOfUser: number };
}

/** The limits of this process as shown in metrics. */
interface WatchedLimits {
  uploads: { readonly running: number; readonly waiting: number };
  rates: { keys(): number };
}

export interface Metrics extends Watch {
  /** Shows how much of the limits of this process is used. */
  watchLimits(limits: WatchedLimits): void;
  /** Everything in the text format of Prometheus. */
  text(): Promise<{ type: string; text: string }>;
}

interface MetricsOptions {
  pool: OpenDatabase["pool"];
  statistics: () => Promise<Statistics>;
  /** How many packages have their own series of downloads. */
  mostPackages: number;
}

/** Replaces the names of packages without their own series: no package or repository can have this name. */
const allOthers = "*";

/** Of the process, which may run several instances in tests: the event loop, memory, CPU time, garbage collection. */
let ofProcess: Registry | undefined;

/** The counts of one instance, in a registry of its own. */
export function createMetrics({ pool, statistics, mostPackages }: MetricsOptions): Metrics {
  const registry = new Registry();
  if (!ofProcess) {
    ofProcess = new Registry();
    collectDefaultMetrics({ register: ofProcess });
  }
  const processes = ofProcess;
  const registers = [registry];
  const counter = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
    new Counter({ name: `packhouse_${name}`, help, labelNames, registers });
  const histogram = <Label extends string>(
    name: string,
    help: string,
    buckets: number[],
    labelNames: readonly Label[],
  ) => new Histogram({ name: `packhouse_${name}`, help, buckets, labelNames, registers });
  const gauge = (name: string, help: string, value: () => number | undefined) =>
    new Gauge({
      name: `packhouse_${name}`,
      help,
      registers,
      collect() {
        const now = value();
        if (now === undefined) this.remove();
        else this.set(now);
      },
    });

  new Gauge({ name: "packhouse_info", help: "Version of the product.", labelNames: ["version"], registers }).set(
    { version: productVersion },
    1,
  );
  const requests = histogram(
    "http_request_duration_seconds",
    "Requests by pattern of the route, method and class of the status; aborted ones have the status that they had so far.",
    [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
    ["method", "route", "status"],
  );
  const uploads = counter("uploads_total", "Uploaded files, by result.", ["technology", "outcome"]);
  const uploadBytes = counter("upload_bytes_total", "Bytes of uploaded files.", ["technology"]);
  const jobs = counter("jobs_total", "Finished jobs, by outcome; failed ones are retried.", ["name", "outcome"]);
  const jobSeconds = histogram(
    "job_duration_seconds",
    "Duration of a batch of jobs.",
    [0.01, 0.05, 0.25, 1, 5, 30, 120, 600, 3600],
    ["name", "outcome"],
  );
  const renders = histogram(
    "render_duration_seconds",
    "Duration of rendering the changes of a repository.",
    [0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30],
    ["technology"],
  );
  const renderedParts = counter("render_parts_total", "Rendered parts of indexes.", ["technology"]);
  const downloads = counter("package_downloads_total", "Complete downloads of package files.", [
    "repository",
    "package",
  ]);
  const taskSeconds = histogram(
    "worker_task_duration_seconds",
    "Duration of tasks in workers; `time` and `memory` are limits that a task reached.",
    [0.01, 0.05, 0.25, 1, 5, 20, 60],
    ["task", "outcome"],
  );
  const stallSeconds = histogram(
    "main_thread_stall_seconds",
    "Times in which one route or job blocked the main thread.",
    [2, 5, 10, 30, 60],
    ["name"],
  );
  const failedSignIns = counter("sign_ins_failed_total", "Invalid passwords and tokens.", ["by"]);
  const limitRefusals = counter("limit_refusals_total", "Requests beyond a limit, by the code of the response.", [
    "limit",
  ]);
  for (const limit of limitCodes) limitRefusals.inc({ limit }, 0);
  const unavailable = counter("unavailable_total", "Requests refused by 503, by what they would have needed.", [
    "reason",
  ]);
  for (const reason of unavailableReasons) unavailable.inc({ reason }, 0);
  const storageErrors = counter("storage_errors_total", "Failed operations of the storage.", ["operation"]);

  gauge("database_pool_connections", "Open connections of the database pool.", () => pool.totalCount);
  gauge("database_pool_idle_connections", "Idle connections of the database pool.", () => pool.idleCount);
  gauge("database_pool_max_connections", "Maximum number of connections of the database pool.", () => pool.options.max);
  gauge("database_pool_waiting", "Requests and jobs that wait for a connection.", () => pool.waitingCount);
  let known: Statistics | undefined;
  gauge("database_up", "Whether the database provided the metrics below.", () => (known ? 1 : 0));
  gauge("repositories_behind", "Repositories whose changes are not served yet.", () => known?.repositoriesBehind);
  gauge(
    "publication_lag_seconds",
    "Age of the oldest change that is not served yet.",
    () => known?.publicationLagSeconds,
  );
  gauge("submissions_waiting", "Submissions waiting for a decision.", () => known?.waiting.submissions);
  gauge("submissions_waiting_bytes", "Bytes of waiting submissions.", () => known?.waiting.bytes);
  gauge(
    "submissions_waiting_most_per_user",
    "Largest number of waiting submissions of one user.",
    () => known?.waiting.mostOfUser,
  );
  gauge(
    "submissions_waiting_bytes_most_per_user",
    "Most bytes of waiting submissions of one user.",
    () => known?.waiting.mostBytesOfUser,
  );
  new Gauge({
    name: "packhouse_jobs_waiting",
    help: "Jobs that are ready to run.",
    labelNames: ["name"],
    registers,
    collect() {
      this.reset();
      for (const [name, count] of known?.jobsWaiting ?? []) this.set({ name }, count);
    },
  });
  const askStatistics = boundedAnswer(statistics);
  const seriesOfPackages = new Set<string>();

  return {
    requestEnded: ({ method, route, status, seconds }) =>
      requests.observe({ method, route, status: `${Math.floor(status / 100)}xx` }, seconds),
    uploadEnded({ technology, outcome, bytes }) {
      uploads.inc({ technology, outcome });
      uploadBytes.inc({ technology }, bytes);
    },
    jobsEnded({ name, outcome, count, seconds }) {
      jobs.inc({ name, outcome }, count);
      jobSeconds.observe({ name, outcome }, seconds);
    },
    rendered({ technology, seconds, parts }) {
      renders.observe({ technology }, seconds);
      renderedParts.inc({ technology }, parts);
    },
    downloaded(file) {
      const series = `${file.repository}/${file.package}`;
      if (seriesOfPackages.size < mostPackages) seriesOfPackages.add(series);
      downloads.inc(seriesOfPackages.has(series) ? file : { repository: allOthers, package: allOthers });
    },
    taskEnded: ({ task, outcome, seconds }) => taskSeconds.observe({ task, outcome }, seconds),
    mainThreadStalled: ({ name, seconds }) => stallSeconds.observe({ name }, seconds),
    signInFailed: (by) => failedSignIns.inc({ by }),
    limitExceeded: (limit) => limitRefusals.inc({ limit }),
    wasUnavailable: (reason) => unavailable.inc({ reason }),
    watchLimits(limits) {
      gauge("uploads_running", "Uploads in progress.", () => limits.uploads.running);
      gauge("uploads_queued", "Queued uploads.", () => limits.uploads.waiting);
      gauge("rate_limit_keys", "Users and addresses whose requests are counted.", () => limits.rates.keys());
    },
    storageFailed: (operation) => storageErrors.inc({ operation }),
    async text() {
      known = await askStatistics();
      const text = `${await registry.metrics()}\n${await processes.metrics()}`;
      return { type: registry.contentType, text };
    },
  };
}
