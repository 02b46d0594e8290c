import { availableParallelism } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Logger } from "pino";
import { accessTokenRoutes } from "../features/access-tokens/routes.ts";
import { recordSettingChanges } from "../features/configuration/record-setting-changes.ts";
import { configurationRoutes } from "../features/configuration/routes.ts";
import { pruneSecurityEvents } from "../features/events/prune-security-events.ts";
import { eventRoutes } from "../features/events/routes.ts";
import { createMail } from "../features/mail/create-mail.ts";
import { createNotices } from "../features/mail/notices.ts";
import { maintainerRoutes } from "../features/maintainers/routes.ts";
import { createManuals } from "../features/manuals/create-manuals.ts";
import { findPdfBuilder, type PdfBuilder } from "../features/manuals/pdf-manual.ts";
import { createMirroring, type Mirroring } from "../features/mirrors/create-mirroring.ts";
import { applyDeclarations } from "../features/mirrors/declarations/apply-declarations.ts";
import { readDeclarations } from "../features/mirrors/declarations/read-declarations.ts";
import { mirrorRoutes } from "../features/mirrors/routes.ts";
import { fillFacts } from "../features/packages/contents/find-facts.ts";
import { packageRoutes } from "../features/packages/routes.ts";
import { repositoryRoutes } from "../features/repositories/routes.ts";
import type { ReviewDeps } from "../features/review/deps.ts";
import { inspectionRoutes } from "../features/review/inspection-routes.ts";
import { createInspections } from "../features/review/inspections/create-inspections.ts";
import { reviewRoutes } from "../features/review/routes.ts";
import { submissionRoutes } from "../features/submissions/routes.ts";
import { userSettingsRoutes } from "../features/user-settings/routes.ts";
import { unsubscribeRoutes } from "../features/user-settings/unsubscribe-routes.ts";
import { changeRole } from "../features/users/edit-user.ts";
import { userRoutes } from "../features/users/routes.ts";
import { apiDescriptionRoutes } from "../http/api-description/routes.ts";
import { type App, createApplication } from "../http/application.ts";
import { consoleRoutes } from "../http/console/routes.ts";
import { healthRoutes } from "../http/health/routes.ts";
import { metricsRoutes } from "../http/metrics/routes.ts";
import {
  createFirstAdministrator,
  createPeopleOfSettings,
  type FirstAdministrator,
} from "../identity/accounts/accounts-of-settings.ts";
import { completeLogins } from "../identity/accounts/login-store.ts";
import { namesOfNoRepository } from "../identity/read-right-store.ts";
import { sessionRoutes } from "../identity/sessions/routes.ts";
import { removeEndedSessions } from "../identity/sessions/start-session.ts";
import { actorNow, authenticate } from "../identity/sign-in/authenticate.ts";
import { signInRoutes } from "../identity/sign-in/routes.ts";
import { secondFactorRoutes } from "../identity/sign-in/second-factor-routes.ts";
import { providerTokens } from "../identity/tokens/provider-tokens.ts";
import { sessionSecrets } from "../identity/tokens/session-secrets.ts";
import { sessionTokens } from "../identity/tokens/session-tokens.ts";
import { tokenAddresses } from "../identity/tokens/token-addresses.ts";
import type { Clock } from "../platform/clock.ts";
import { sumPackageCounts } from "../platform/db/counts-upkeep-store.ts";
import type { OpenDatabase } from "../platform/db/database.ts";
import { migrate } from "../platform/db/migrate.ts";
import { oneAtATime } from "../platform/db/one-at-a-time.ts";
import { createJobs } from "../platform/jobs/jobs.ts";
import { createListener } from "../platform/jobs/listener.ts";
import { createLimits } from "../platform/limits/limits.ts";
import type { Mailer } from "../platform/mail/mailer.ts";
import { createMetrics } from "../platform/observability/metrics.ts";
import { startMetricsServer } from "../platform/observability/metrics-server.ts";
import { watchStalls } from "../platform/observability/stalls.ts";
import { readStatistics } from "../platform/observability/store.ts";
import { openTelemetry } from "../platform/observability/telemetry.ts";
import { noteProgress } from "../platform/observability/trace.ts";
import { recordStatement } from "../platform/observability/trace-statements.ts";
import { watchedStorage } from "../platform/observability/watched-storage.ts";
import type { Settings } from "../platform/settings/settings.ts";
import { withSmallObjects } from "../platform/storage/memory/small-objects.ts";
import type { ObjectStorage } from "../platform/storage/storage.ts";
import { sweepObjects } from "../platform/storage/sweep-objects.ts";
import { createWorkers, mostWorkers, type Workers } from "../platform/workers/pool.ts";
import { createPublication } from "../publish/create-publication.ts";
import { createDownloads } from "../publish/downloads/count-downloads.ts";
import { publicationRoutes } from "../publish/serve/routes.ts";
import { eventResources } from "./event-resources.ts";
import { listening } from "./listening.ts";

/**
 * Linux divides connections among the processes, and gives none to one that has been killed. Elsewhere the process that
 * started them does, which may lose one at that moment.
 */
const sharingPort = process.platform === "linux" ? { exclusive: true, reusePort: true } : {};

const workerProgram = fileURLToPath(new URL("./worker.ts", import.meta.url));

/** Everything the product runs on; only this differs between a laptop, a cluster and a test. */
export interface PackhouseOptions {
  settings: Settings;
  database: OpenDatabase;
  storage: ObjectStorage;
  clock: Clock;
  log: Logger;
  /** Folder of the built console. */
  consoleFolder: string;
  /** Whether to create an administrator if there is none; true by default. */
  createAdministrator?: boolean;
  /** The program of the workers; by default the product's own. */
  workerProgram?: string | undefined;
  /** Which of the processes of this server it is; it is the only one by default. */
  part?: Part | undefined;
  /** What sends mail, if not the mail server of the settings. */
  mailer?: Mailer | undefined;
  /** Workers that others use, too; started for this instance by default. */
  workers?: Workers | undefined;
  /** By default, what this machine has is tried out. */
  pdfBuilder?: PdfBuilder | undefined;
}

/** One of the processes that share a port on this machine. */
export interface Part {
  /** From 0 on; a process that takes the place of another one has its number. */
  number: number;
  /** How many there are. */
  of: number;
  /** Whether it runs the jobs, from its start on. */
  leads: boolean;
  port: number;
}

export interface Packhouse {
  app: App;
  deps: ReviewDeps;
  mirroring: Mirroring;
  /** The administrator created because there was none. */
  firstAdministrator: FirstAdministrator | undefined;
  /** Runs the jobs from now on, and what was lost with another process that did. */
  lead(): Promise<void>;
  /** Starts to listen; returns the address under which it answers on this machine. */
  listen(): Promise<string>;
  /** Stops: finishes running work within the time set, then releases the jobs. The caller closes the backends. */
  close(): Promise<void>;
}

/** Wires features and adapters together. Tests and the demo start the product through it too. */
export async function createPackhouse(options: PackhouseOptions): Promise<Packhouse> {
  const { settings, database, clock, log, part } = options;
  const leads = part?.leads ?? true;
  const declarations = await readDeclarations(settings);
  await migrate(database.db);

  const listener = createListener(database.pool.options, log);
  const secrets = await sessionSecrets(database.db, listener, settings, clock);
  const metrics = createMetrics({
    pool: database.pool,
    statistics: () => readStatistics(database.db, clock()),
    mostPackages: settings["metrics.packages"],
  });
  const recorder = await openTelemetry(settings["telemetry.endpoint"]);
  if (recorder) database.observe(recordStatement);
  database.observe(noteProgress);
  const stalls = watchStalls({ log, watch: metrics });
  const watched = watchedStorage(options.storage, metrics);
  const storage = settings.storageUrl === undefined ? watched : withSmallObjects(watched);
  const jobs = createJobs(database, listener, log, { watch: metrics, recorder });
  const { publication, published, ...publishing } = createPublication({
    db: database.db,
    storage,
    jobs,
    listener,
    settings,
    clock,
    log,
    watch: metrics,
  });
  const program = options.workerProgram ?? workerProgram;
  const workers =
    options.workers ?? createWorkers({ settings: dividedAmong(part, settings), watch: metrics, log, program });
  const builder = options.pdfBuilder ?? (await findPdfBuilder());
  const limits = createLimits(settings, metrics);
  metrics.watchLimits(limits);
  const deps: ReviewDeps = {
    workers,
    limits,
    db: database.db,
    storage,
    publication,
    manuals: createManuals({ workers, db: database.db, storage, jobs, clock, log, builder }),
    inspections: createInspections({ db: database.db, storage, workers, jobs, settings, clock, log }),
    notices: createNotices({ settings, clock, jobs }),
    sessions: sessionTokens(secrets, settings["auth.session.minutes"], clock),
    provider: providerTokens(settings, clock, log),
    tokenAddresses: tokenAddresses(database.db, clock),
    changeRole: changeRole({ clock }),
    downloads: createDownloads({ db: database.db, clock, log, watch: metrics, settings }),
    watch: metrics,
    recorder,
    settings,
    clock,
    log,
  };
  jobs.work("sweep-objects", async () => {
    const removed = await sweepObjects(deps);
    if (removed > 0) log.info({ removed }, "removed bytes that no record references");
  });
  jobs.work("prune-security-events", async () => {
    const { removed, anonymized } = await pruneSecurityEvents(deps);
    if (removed + anonymized > 0) log.info({ removed, anonymized }, "removed expired security events");
  });
  jobs.work("sum-package-counts", () => sumPackageCounts(database.db));
  const mail = await createMail({ db: database.db, settings, clock, log, jobs, mailer: options.mailer });
  const mirroring = createMirroring(deps, jobs);
  const facts = fillFacts(deps, jobs);
  const firstAdministrator = await oneAtATime(deps.db, "start", async () => {
    if (!leads) return undefined;
    await recordSettingChanges(deps);
    await completeLogins(deps.db);
    await createPeopleOfSettings(deps, settings);
    return options.createAdministrator === false ? undefined : createFirstAdministrator(deps, settings);
  });

  await removeEndedSessions(deps);

  let ready = false;
  const app = await createApplication({
    ...deps,
    authenticate: (request) => authenticate(deps, request),
    actorNow: (actor) => actorNow(deps, actor),
  });
  healthRoutes(app, deps, () => ready);
  metricsRoutes(app, metrics);
  signInRoutes(app, deps);
  secondFactorRoutes(app, deps);
  configurationRoutes(app, deps);
  userRoutes(app, deps);
  userSettingsRoutes(app, deps);
  await unsubscribeRoutes(app, deps, mail.secret);
  sessionRoutes(app, deps);
  accessTokenRoutes(app, deps);
  repositoryRoutes(app, deps);
  mirrorRoutes(app, deps, mirroring);
  packageRoutes(app, deps);
  await submissionRoutes(app, deps);
  inspectionRoutes(app, deps);
  reviewRoutes(app, deps);
  maintainerRoutes(app, deps);
  eventRoutes(app, deps, eventResources(deps));
  publicationRoutes(app, deps, published);
  await apiDescriptionRoutes(app, deps);
  await consoleRoutes(app, deps, options.consoleFolder);
  await publishing.listen();
  const lead = async () => {
    await jobs.start();
    const areApplied = await applyDeclarations(deps, declarations);
    if (!areApplied && options.createAdministrator !== false)
      log.warn("repositories are declared, but there is no administrator yet who could create them");
    for (const repository of await namesOfNoRepository(database.db, settings))
      log.warn({ repository }, "readRights names a repository that does not exist (yet)");
    await publishing.resume();
    await deps.manuals.resume();
    await mirroring.start();
    await facts.start();
    await deps.inspections.start();
    await mail.start();
    await jobs.enqueue(deps.db, "sweep-objects", {});
  };
  try {
    await (leads ? lead() : jobs.open());
  } catch (error) {
    await app.fastify.close();
    await jobs.stop(0);
    await listener.close();
    await workers.close();
    throw error;
  }
  let metricsServer: Awaited<ReturnType<typeof startMetricsServer>> | undefined;

  return {
    app,
    deps,
    mirroring,
    firstAdministrator,
    lead,
    async listen() {
      const { "metrics.host": host, "metrics.port": port } = settings;
      if (port !== undefined) {
        const its = { host, port: port + (part?.number ?? 0), setting: "metrics.port" } as const;
        metricsServer = await listening(its, () => startMetricsServer(metrics, its));
      }
      const own = { host: settings.host, port: part?.port ?? settings.port, setting: "port" } as const;
      const place = { host: own.host, port: own.port, ...(part ? sharingPort : {}) };
      const address = await listening(own, () => app.fastify.listen(place));
      ready = true;
      return address;
    },
    async close() {
      ready = false;
      app.closing.announce();
      await sleep(settings["shutdown.delayMs"]);
      const deadline = performance.now() + settings["shutdown.timeoutSeconds"] * 1000;
      const left = () => Math.max(0, deadline - performance.now());
      // Requests first: some wait for jobs.
      await app.closing.close(left());
      await deps.downloads.close();
      mirroring.stop();
      await jobs.stop(left());
      await workers.close();
      stalls.close();
      await listener.close();
      await metricsServer?.close();
      await recorder?.close();
    },
  };
}

/** Together the processes of a server have as many workers as one process alone. */
const dividedAmong = (part: Part | undefined, settings: Settings): Settings => ({
  ...settings,
  "workers.count":
    settings["workers.count"] ??
    (part && Math.max(1, Math.floor(Math.min(availableParallelism(), mostWorkers) / part.of))),
});
