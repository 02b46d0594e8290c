import { setImmediate } from "node:timers/promises";
import type { MirrorClash, MirrorSkip } from "@packhouse/contract/mirrors";
import { formatOf } from "@packhouse/formats/format";
import { refusalOf } from "../../http/application.ts";
import { firstAdministrator } from "../../identity/sign-in/first-administrator.ts";
import { UpstreamFailure } from "../../platform/errors/upstream-failure.ts";
import { change, type NewEvent, recordEvent } from "../../platform/event-log/record-event.ts";
import { reservations } from "../../platform/names/lookalikes.ts";
import type { Deps } from "../deps.ts";
import {
  ClashingPackage,
  clash,
  clashOf,
  type ImportingMirror,
  type KnownPackage,
  type OfferedFile,
} from "../packages/origin.ts";
import { packages } from "../packages/store.ts";
import { fetchFile, noAdministrator } from "./fetch-file.ts";
import { boundedErrors, Reported, type WantedFile } from "./records/mirror.ts";
import { alone, type Mirror, type MirroringRepository, mirrors, synchronizations } from "./records/store.ts";
import { forEach } from "./upstream/pace.ts";
import { upstreams } from "./upstream/upstream.ts";
import type { UpstreamClient } from "./upstream/upstream-client.ts";

/** How long clients wait for what a long run has fetched. */
const publishEveryMs = 30_000;

/** A mirror that does not respond, or too slowly, so often in a row is left to the next run. */
const mostFailuresInRow = 10;

interface Run {
  client: UpstreamClient;
  /** Ends the run where it is; what is stored stays, and the next run continues from there. */
  signal: AbortSignal;
}

/**
 * Fetches what the mirrors of a repository offer: those of one schedule, or all. False when another run is in progress.
 * Failures are shown in the status of the mirror; the run continues with the next package.
 */
export async function synchronizeRepository(
  deps: Deps,
  run: Run,
  { repositoryId, schedule }: { repositoryId: number; schedule: string | null },
): Promise<boolean> {
  return alone(deps.db, repositoryId, async () => {
    const repository = await mirrors(deps.db).repository(repositoryId);
    const all = repository ? await mirrors(deps.db).ofRepository(repositoryId) : [];
    const due = all.filter((mirror) => schedule === null || mirror.schedule === schedule);
    if (repository && due.length > 0) {
      await synchronizations(deps.db).request(repositoryId, deps.clock());
      const inRepository = { ...run, repository, declared: all.map(({ name }) => name) };
      for (const mirror of due) {
        await synchronizeMirror(deps, inRepository, mirror);
        if (!(await mirrors(deps.db).repository(repositoryId))) break;
      }
      await deps.publication.render(deps.db, repositoryId);
      await deps.publication.whenServed([repositoryId]);
    }
    await synchronizations(deps.db).end(repositoryId, deps.clock());
  });
}

interface RepositoryRun extends Run {
  repository: MirroringRepository;
  /** Names of all its current mirrors. */
  declared: readonly string[];
}

/** The result of a mirror's run. */
class Report {
  stored = 0;
  readonly errors = new Reported<string>();
  readonly clashes = new Reported<MirrorClash>();
  readonly skipped = new Reported<MirrorSkip>();
}

async function synchronizeMirror(deps: Deps, run: RepositoryRun, mirror: Mirror): Promise<void> {
  const { repository } = run;
  const report = new Report();
  await mirrors(deps.db).begin(mirror.id, deps.clock());
  try {
    if (!(await firstAdministrator(deps))) throw noAdministrator();
    await importFiles(deps, run, mirror, report);
  } catch (error) {
    run.signal.throwIfAborted();
    if (!isGone(error)) report.errors.add([reasonOf(deps, error, { mirror: mirror.name })]);
  }
  const { stored, errors, clashes, skipped } = report;
  const counts = { errors: errors.count, clashes: clashes.count, skipped: skipped.count };
  const sentences = [...errors.kept, ...clashes.kept.map(({ text }) => text)];
  const about = { repository: repository.name, mirror: mirror.name };
  for (const clash of clashes.kept) deps.log.warn({ ...about, clash }, "a mirror clashes");
  for (const skip of skipped.kept) deps.log.info({ ...about, ...skip }, "a mirror's file was skipped");
  await deps.db.transaction().execute(async (tx) => {
    await mirrors(tx).end(mirror.id, {
      ended_on: deps.clock(),
      stored,
      errors: boundedErrors(sentences, counts.errors + counts.clashes),
      clashes: clashes.kept,
      skipped: skipped.kept,
      counts,
    });
    if (sentences.length > 0 && !(mirror.failing ?? mirror.errors.length > 0))
      await deps.notices.mirrorFails(tx, mirror.id);
    const event = clashEvent(repository, mirror, clashes.kept);
    const actor = event && (await firstAdministrator({ ...deps, db: tx }));
    if (actor && event) await recordEvent(tx, { by: actor, at: deps.clock(), ...event });
  });
  deps.log.info({ ...about, stored, ...counts }, "synchronized");
}

/** One event for all clashes that are new in this run, if there are any. */
function clashEvent(
  repository: MirroringRepository,
  mirror: Mirror,
  clashes: readonly MirrorClash[],
): Omit<NewEvent, "by" | "at"> | undefined {
  const before = new Set(mirror.clashes.map(({ text }) => text));
  const fresh = clashes.filter(({ text }) => !before.has(text));
  if (fresh.length === 0) return undefined;
  const shown = fresh.slice(0, 10).map(({ text }) => text);
  const more = fresh.length > shown.length ? `; and ${fresh.length - shown.length} more` : "";
  return {
    type: "update",
    resource: "REPOSITORY",
    resourceId: repository.id,
    place: { technology: repository.technology, repositoryId: repository.id },
    changed: [
      ...change("mirror", null, mirror.name),
      ...change("mirrorClashes", null, fresh.map(({ name, version }) => `${name} ${version}`).join(", ")),
    ],
    description: `The mirror ${mirror.name} clashes with packages of ${repository.name}: ${shown.join("; ")}${more}.`,
  };
}

/** Fetches everything that is wanted and not here. */
async function importFiles(
  deps: Deps,
  { client, signal, repository, declared }: RepositoryRun,
  mirror: Mirror,
  report: Report,
): Promise<void> {
  const upstream = upstreams[repository.technology];
  const { normalizeName, versionKey } = formatOf(repository.technology);
  const atOnce = deps.settings["mirrors.parallel"];
  const { publication } = deps;
  const importing: ImportingMirror = {
    name: mirror.name,
    declared,
    sharedNames: mirror.shared_names,
    reservedNames: [...deps.settings["mirrors.reservedNames"], ...mirror.reserved_names],
  };
  const fetching = { client, repository, mirror: importing, signal };
  const failed = (what: string) => report.errors.add([what]);
  const skipped = (what: readonly MirrorSkip[], count: number) => report.skipped.add(what, count);
  const reservedBy = reservations([...importing.reservedNames, ...repository.reserved_names], normalizeName);
  let failuresInRow = 0;
  const isGivenUp = () => failuresInRow >= mostFailuresInRow;
  /** Counts an attempt; other mirrors of the repository come after this one. */
  const noteAttempt = (error?: unknown) => {
    if (isGivenUp()) return;
    failuresInRow = error instanceof UpstreamFailure && error.passing ? failuresInRow + 1 : 0;
    if (isGivenUp()) failed(`the run ended after ${mostFailuresInRow} failures in a row; the next one continues`);
  };
  let rendered = performance.now();
  const publishNowAndThen = async () => {
    if (performance.now() - rendered < publishEveryMs) return;
    rendered = performance.now();
    await publication.render(deps.db, repository.id);
  };

  /** What is known before anything is downloaded; the upload checks it again, with the repository locked. */
  const clashBefore = (file: WantedFile, known: readonly KnownPackage[]): MirrorClash | undefined => {
    const pattern = reservedBy(file.name);
    if (pattern !== undefined) return clash(file, "reserved", pattern);
    const isWheel = file.fileName.endsWith(".whl");
    const offered: OfferedFile = {
      ...file,
      versionKey: versionKey(file.version),
      kind: isWheel ? "binary" : "source",
      target: isWheel ? file.fileName : "",
    };
    return clashOf(offered, known, importing);
  };

  const fetchMissing = async (files: readonly WantedFile[]) => {
    const names = [...new Set(files.map(({ name }) => normalizeName(name)))];
    const known = await packages(deps.db).ofNames(repository.id, names);
    let seen = 0;
    await forEach(files, atOnce, async (file) => {
      if (isGivenUp()) return;
      seen += 1;
      if (seen % 200 === 0) await setImmediate(); // an index of all of CRAN must not block other work
      const ofName = known.get(normalizeName(file.name)) ?? [];
      const present = ofName.filter((it) => !it.deleted && !it.waitsToReplace);
      const why = upstream.whyFetch(file, present);
      const before = clashBefore(file, ofName);
      // Where upstream names no digest, the bytes here may well be the same.
      if (before && (why || file.digest)) report.clashes.add([before]);
      if (before || !why) return;
      try {
        const outcome = await client.inTurn(file.address, () => fetchFile(deps, fetching, file, why === "changed"));
        noteAttempt();
        if (outcome.stored) report.stored += 1;
        if (outcome.stored && outcome.lookalike) report.clashes.add([outcome.lookalike]);
        await publishNowAndThen();
      } catch (error) {
        signal.throwIfAborted();
        // It was deleted during the run: what else is offered is not even downloaded.
        if (isGone(error)) throw error;
        if (error instanceof ClashingPackage) report.clashes.add([error.clash]);
        else failed(`${file.name} ${file.version}: ${reasonOf(deps, error, { address: file.address })}`);
        noteAttempt(error);
      }
    });
  };

  const reading = { db: deps.db, workers: deps.workers, client, mirror, signal, failed, skipped };
  await forEach(await upstream.parts(reading), atOnce, async (part) => {
    if (isGivenUp()) return;
    let files: WantedFile[];
    try {
      files = await client.inTurn(mirror.uri, part);
    } catch (error) {
      signal.throwIfAborted();
      failed(reasonOf(deps, error, { mirror: mirror.name }));
      noteAttempt(error);
      return;
    }
    await fetchMissing(files);
  });
}

/** Whether the repository was deleted. */
const isGone = (error: unknown): boolean => refusalOf(error)?.code === "repository.notfound";

/** For the status. Unexpected errors are logged, too. */
function reasonOf({ log }: Deps, error: unknown, about: Record<string, string>): string {
  if (error instanceof UpstreamFailure) return error.message;
  const refusal = refusalOf(error);
  if (refusal) return Array.isArray(refusal.data) ? refusal.data.map(String).join("; ") : refusal.message;
  log.error({ err: error, ...about }, "synchronization failed");
  return "it failed; see the log of the server";
}
