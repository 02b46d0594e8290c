import { setTimeout as sleep } from "node:timers/promises";
import type { Comparison, FileChange } from "@packhouse/contract/review/comparison";
import type { Inspection } from "@packhouse/contract/review/inspection";
import { type SignalLevel, signalLevels } from "@packhouse/contract/review/signals";
import { UnacceptablePackage } from "@packhouse/formats/unacceptable-package";
import { inspectorVersion } from "@packhouse/inspection/inspector-version";
import type { Logger } from "pino";
import type { Clock } from "../../../platform/clock.ts";
import type { Db } from "../../../platform/db/database.ts";
import { Refusal } from "../../../platform/errors/refusal.ts";
import type { Jobs } from "../../../platform/jobs/jobs.ts";
import type { Settings } from "../../../platform/settings/settings.ts";
import { ObjectMissing, type ObjectStorage } from "../../../platform/storage/storage.ts";
import { persistently } from "../../../platform/workers/persistently.ts";
import type { Workers } from "../../../platform/workers/pool.ts";
import { LimitReached, TaskDefect } from "../../../platform/workers/task-errors.ts";
import type { InspectionRequests } from "../../deps.ts";
import { limits } from "./archive-limits.ts";
import { incompleteSignal } from "./bounded-findings.ts";
import { chooseBase } from "./choose-base.ts";
import { type InspectedPackage, inspectionStore, type ReviewSummary } from "./inspection-store.ts";
import { comparePackagesTask, inspectPackageTask } from "./inspection-tasks.ts";
import { recordSignals } from "./record-signals.ts";

/** What archives consist of, and how they differ: made in the background, stored, and made on request if missing. */
export interface Inspections extends InspectionRequests {
  package(id: number): Promise<InspectedPackage | undefined>;
  /** The file that a package is compared with, unless the caller chooses another; undefined for a new package. */
  baseOf(it: InspectedPackage): Promise<InspectedPackage | undefined>;
  /** The source of the same release. */
  sourceOf(it: InspectedPackage): Promise<InspectedPackage | undefined>;
  /** What a waiting file has replaced, under its own id. */
  previousUploadOf(it: InspectedPackage): Promise<InspectedPackage | undefined>;
  inspection(it: InspectedPackage, whose: number): Promise<Inspection>;
  /** With what the records know about the release among its signals. */
  comparison(it: InspectedPackage, base: InspectedPackage | undefined, whose: number): Promise<Comparison>;
  /** The same if it is stored or made in a moment; else it is being made, and undefined. */
  comparisonSoon(
    it: InspectedPackage,
    base: InspectedPackage | undefined,
    whose: number,
  ): Promise<Comparison | undefined>;
  /** How one file changed; undefined if it did not. */
  fileChange(
    it: InspectedPackage,
    base: InspectedPackage,
    wanted: { path: string; whose: number },
  ): Promise<FileChange | undefined>;
  /** Removes what was found in bytes that no package has any more; returns how much. */
  sweep(): Promise<number>;
  start(): Promise<void>;
}

/** An inspection, or a comparison with a base, that ended for lack of time. */
interface UnfinishedWork {
  packageId: number;
  baseId: number | null;
  /** How often the time was not enough. */
  tries: number;
}

interface Context {
  db: Db;
  storage: ObjectStorage;
  workers: Workers;
  jobs: Jobs;
  settings: Settings;
  clock: Clock;
  log: Logger;
}

/** No user has this id: users' requests come first. */
const background = 0;
const atOnce = 20;
const pauseSeconds = 1;
/** How long after each try that lacked time the next one follows; after the last, what was found stays. */
const againSeconds = [300, 3600];
/** How long what is tried again makes way for other inspections. */
const busySeconds = 60;
/** How long a page waits for a comparison before it shows everything else. */
const soonMs = 1000;

export function createInspections({ db, storage, workers, jobs, settings, clock, log }: Context): Inspections {
  const store = inspectionStore(db);
  const inspecting = sharedWork<Inspection>();
  const comparing = sharedWork<Comparison>();

  const makeInspection = async (it: InspectedPackage, whose: number): Promise<Inspection> => {
    const { technology, fileName, kind } = it;
    const source = await storage.source(it.digest);
    return persistently(() =>
      workers.run(inspectPackageTask, { technology, fileName, kind }, { source, limits, whose }),
    ).catch((error: unknown) => uninspected(it, reasonOf(error)));
  };

  const inspection = (it: InspectedPackage, whose: number): Promise<Inspection> =>
    inspecting(it.digest, async () => {
      const stored = await store.inspection(it.digest, inspectorVersion);
      if (stored) return stored;
      const made = await makeInspection(it, whose);
      await store.saveInspection(it.digest, made, clock());
      if (lackedTime(made)) await tryAgain({ packageId: it.id, baseId: null, tries: 1 });
      return made;
    });

  const tryAgain = async (it: UnfinishedWork) => {
    const seconds = againSeconds[it.tries - 1];
    if (seconds !== undefined) await jobs.enqueue(db, "inspect-again", it, seconds);
  };

  const makeComparison = async (
    it: InspectedPackage,
    base: InspectedPackage | undefined,
    whose: number,
    own?: Inspection,
  ) => {
    const [after, before] = await Promise.all([own ?? inspection(it, whose), base ? inspection(base, whose) : null]);
    const input = {
      after: { inspection: after, fileName: it.fileName },
      before: base && before ? { inspection: before, fileName: base.fileName } : null,
    };
    const archives = async () => {
      if (!base) return {};
      const [source, other] = await Promise.all([storage.source(it.digest), storage.source(base.digest)]);
      return { source, others: [other] };
    };
    const sources = await archives();
    let ended: "time" | "memory" | "unreadable" | undefined;
    const made = await persistently(() => workers.run(comparePackagesTask, input, { ...sources, limits, whose })).catch(
      (error: unknown) => {
        ended = reasonOf(error);
        log.warn({ err: error, package: it.id, base: base?.id, reason: ended }, "two archives were not compared");
        return persistently(() => workers.run(comparePackagesTask, input, { limits, whose }));
      },
    );
    return { made, lackedTime: ended === "time" };
  };

  /** Without what the records know. `own` is the inspection of the package, if the caller has it. */
  const ofArchives = (
    it: InspectedPackage,
    base: InspectedPackage | undefined,
    whose: number,
    own?: Inspection,
  ): Promise<Comparison> => {
    const baseDigest = base?.digest ?? "";
    return comparing(`${it.digest} ${baseDigest}`, async () => {
      const stored = await store.comparison(it.digest, baseDigest, inspectorVersion);
      if (stored) return stored;
      // Archives that take too long are compared by what was stored about them.
      const { made, lackedTime } = await makeComparison(it, base, whose, own);
      await store.saveComparison(it.digest, baseDigest, made, clock());
      // What it has replaced has no id of its own, by which it could be found again.
      if (base && base.id !== it.id && lackedTime) await tryAgain({ packageId: it.id, baseId: base.id, tries: 1 });
      return made;
    });
  };

  const withRecords = async (
    compared: Comparison,
    it: InspectedPackage,
    base: InspectedPackage | undefined,
    whose: number,
  ): Promise<Comparison> => {
    const known = await recordSignals({ db, settings, inspection }, it, base, whose);
    return { ...compared, signals: { ...compared.signals, fresh: [...known, ...compared.signals.fresh] } };
  };

  const comparison = async (
    it: InspectedPackage,
    base: InspectedPackage | undefined,
    whose: number,
    own?: Inspection,
  ): Promise<Comparison> => withRecords(await found(ofArchives(it, base, whose, own)), it, base, whose);

  const baseOf = async (it: InspectedPackage) => chooseBase(it, await store.accepted(it));

  const inspections: Inspections = {
    request: (tx, packageId) => jobs.enqueue(tx, "inspect-package", { packageId }),
    async requestOfNames(tx, repositoryId, accepted) {
      for (const id of await inspectionStore(tx).waitingOfNames(repositoryId, accepted)) await this.request(tx, id);
    },
    package: (id) => store.package(id),
    baseOf,
    sourceOf: (it) => store.sourceOf(it),
    previousUploadOf: (it) => store.previousUploadOf(it),
    inspection: (it, whose) => found(inspection(it, whose)),
    comparison: (it, base, whose) => comparison(it, base, whose),
    comparisonSoon(it, base, whose) {
      const made = this.comparison(it, base, whose).catch((error: unknown) => {
        log.warn({ err: error, package: it.id, base: base?.id }, "a package could not be compared");
        return undefined;
      });
      return Promise.race([made, sleep(soonMs, undefined, { ref: false })]);
    },
    async fileChange(it, base, { path, whose }) {
      const { files } = await found(ofArchives(it, base, whose));
      return files.find((file) => file.path === path);
    },
    sweep: () => store.sweep(),
    async start() {
      const [first] = await store.waiting(0, inspectorVersion, 1);
      if (first !== undefined) await jobs.enqueue(db, "inspect-waiting", { afterId: 0 });
    },
  };

  const inspectWaiting = async (packageId: number) => {
    const it = await store.package(packageId);
    if (it?.state !== "WAITING" || it.deleted) return;
    try {
      const base = await baseOf(it);
      const own = await found(inspection(it, background));
      const compared = await comparison(it, base, background, own);
      await store.saveSummary(it.id, summaryOf(compared, base?.id ?? null, own.incomplete.length > 0), clock());
    } catch (error) {
      // Lost bytes are reported by the verification of the storage; trying again does not bring them back.
      if (!(error instanceof Refusal) || error.code !== "package.notfound") throw error;
      log.error({ package: it.id }, "a waiting package could not be inspected, because its bytes are missing");
    }
  };

  /** The machine may have been busy. What is stored is replaced only by what did not lack time. */
  const makeAgain = async (unfinished: UnfinishedWork) => {
    const { packageId, baseId, tries } = unfinished;
    if (await jobs.isDue("inspect-package")) return jobs.enqueue(db, "inspect-again", unfinished, busySeconds);
    const it = await store.package(packageId);
    const base = baseId === null ? undefined : await store.package(baseId);
    if (!it || (baseId !== null && !base)) return;
    if (base) {
      const again = await makeComparison(it, base, background);
      if (again.lackedTime) return tryAgain({ ...unfinished, tries: tries + 1 });
      await store.saveComparison(it.digest, base.digest, again.made, clock());
      await inspections.request(db, it.id);
    } else {
      const made = await makeInspection(it, background);
      if (lackedTime(made)) return tryAgain({ ...unfinished, tries: tries + 1 });
      await store.saveInspection(it.digest, made, clock());
      await store.forgetComparisons(it.digest);
      await inspections.start();
    }
  };
  jobs.work(
    "inspect-again",
    async ([job]) => {
      if (!job) return;
      await makeAgain(job).catch((error: unknown) => {
        if (!(error instanceof ObjectMissing)) throw error;
      });
    },
    { batchSize: 1 },
  );
  jobs.work("inspect-package", async ([job]) => job && inspectWaiting(job.packageId), { batchSize: 1 });
  jobs.work(
    "inspect-waiting",
    async ([job]) => {
      if (!job) return;
      const ids = await store.waiting(job.afterId, inspectorVersion, atOnce);
      for (const id of ids) await jobs.enqueue(db, "inspect-package", { packageId: id });
      const last = ids.at(-1);
      if (last !== undefined) await jobs.enqueue(db, "inspect-waiting", { afterId: last }, pauseSeconds);
    },
    { batchSize: 1 },
  );
  jobs.work("sweep-inspections", async () => {
    const removed = await inspections.sweep();
    if (removed > 0) log.info({ removed }, "removed inspections of packages that are gone");
  });
  return inspections;
}

/** Why an archive was not examined. What may succeed in a moment is thrown again. */
function reasonOf(error: unknown): "time" | "memory" | "unreadable" {
  if (error instanceof LimitReached) return error.limit;
  if (error instanceof UnacceptablePackage || error instanceof TaskDefect) return "unreadable";
  throw error;
}

const lackedTime = ({ incomplete }: Inspection): boolean => incomplete.some(({ reason }) => reason === "time");

/** Of an archive whose inspection ended early. */
const uninspected = (
  { technology, name, version }: InspectedPackage,
  reason: "time" | "memory" | "unreadable",
): Inspection => ({
  inspector: inspectorVersion,
  technology,
  name,
  version,
  files: [],
  fields: [],
  spdx: null,
  dependencies: [],
  interface: [],
  signals: [incompleteSignal(reason)],
  indicators: [],
  incomplete: [{ reason, paths: [] }],
});

/** Users are shown what they would be if the package were gone. */
const found = <Result>(work: Promise<Result>): Promise<Result> =>
  work.catch((error: unknown) => {
    throw error instanceof ObjectMissing ? new Refusal("package.notfound") : error;
  });

function summaryOf(
  { signals: { fresh }, added, removed }: Comparison,
  baseId: number | null,
  incomplete: boolean,
): ReviewSummary {
  const count = (level: SignalLevel) => fresh.filter((signal) => signal.level === level).length;
  return {
    baseId,
    level: signalLevels.findLast((level) => count(level) > 0) ?? "clear",
    counts: { info: count("info"), notice: count("notice"), warning: count("warning"), danger: count("danger") },
    incomplete,
    linesAdded: added,
    linesRemoved: removed,
  };
}

/** Does work once for all who wait for its result at the same time. */
function sharedWork<Result>() {
  const running = new Map<string, Promise<Result>>();
  return (key: string, work: () => Promise<Result>): Promise<Result> => {
    const known = running.get(key);
    if (known) return known;
    const started = work().finally(() => running.delete(key));
    running.set(key, started);
    return started;
  };
}
