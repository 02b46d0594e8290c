import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { accessTokenRoutes } from "./access-tokens/routes.ts";
import { apiDescriptionRoutes } from "./api-description/routes.ts";
import type { Clock } from "./clock.ts";
import { recordSettingChanges } from "./configuration/record-setting-changes.ts";
import { configurationRoutes } from "./configuration/routes.ts";
import { consoleRoutes } from "./console/routes.ts";
import type { OpenDatabase } from "./db/database.ts";
import { migrate } from "./db/migrate.ts";
import { oneAtATime } from "./db/one-at-a-time.ts";
import type { Deps } from "./deps.ts";
import { createDownloads } from "./downloads/count-downloads.ts";
import { eventResources } from "./event-resources.ts";
import { pruneSecurityEvents } from "./events/prune-security-events.ts";
import { eventRoutes } from "./events/routes.ts";
import { healthRoutes } from "./health/routes.ts";
import { type App, createApplication } from "./http/application.ts";
import { createJobs } from "./jobs/jobs.ts";
import { createListener } from "./jobs/listener.ts";
import { createLimits } from "./limits/limits.ts";
import { listening } from "./listening.ts";
import { maintainerRoutes } from "./maintainers/routes.ts";
import { createManuals } from "./manuals/create-manuals.ts";
import { applyDeclarations } from "./mirrors/apply-declarations.ts";
import { createMirroring } from "./mirrors/create-mirroring.ts";
import { readDeclarations } from "./mirrors/read-declarations.ts";
import { mirrorRoutes } from "./mirrors/routes.ts";
import { fillFacts } from "./packages/find-facts.ts";
import { packageRoutes } from "./packages/routes.ts";
import { createPublication } from "./publication/create-publication.ts";
import { publicationRoutes } from "./publication/routes.ts";
import { repositoryRoutes } from "./repositories/routes.ts";
import { secondFactorRoutes } from "./second-factors/routes.ts";
import { sessionRoutes } from "./sessions/routes.ts";
import { removeEndedSessions } from "./sessions/start-session.ts";
import type { Settings } from "./settings.ts";
import { completeLogins } from "./sign-in/logins.ts";
import { createFirstAdministrator, createPeopleOfSettings, type FirstAdministrator } from "./sign-in/people.ts";
import { providerTokens } from "./sign-in/provider-tokens.ts";
import { namesOfNoRepository } from "./sign-in/read-rights.ts";
import { signInRoutes } from "./sign-in/routes.ts";
import { sessionSecrets } from "./sign-in/session-secrets.ts";
import { sessionTokens } from "./sign-in/session-tokens.ts";
import { tokenAddresses } from "./sign-in/token-addresses.ts";
import type { ObjectStorage } from "./storage/storage.ts";
import { sweepObjects } from "./storage/sweep-objects.ts";
import { submissionRoutes } from "./submissions/routes.ts";
import { userSettingsRoutes } from "./user-settings/routes.ts";
import { userRoutes } from "./users/routes.ts";
import { createMetrics } from "./watching/metrics.ts";
import { startMetricsServer } from "./watching/metrics-server.ts";
import { watchingRoutes } from "./watching/routes.ts";
import { watchStalls } from "./watching/stalls.ts";
import { readStatistics } from "./watching/store.ts";
import { openTelemetry } from "./watching/telemetry.ts";
import { noteProgress } from "./watching/trace.ts";
import { recordStatement } from "./watching/trace-statements.ts";
import { watchedStorage } from "./watching/watched-storage.ts";
import { createWorkers } from "./workers/pool.ts";

/** What the product stands on; the only things that differ between a laptop, a cluster and a test. */
export interface Ground {
  settings: Settings;
  database: OpenDatabase;
  storage: ObjectStorage;
  clock: Clock;
  log: Logger;
  /** Folder of the built console. */
  consoleFolder: string;
  /** Whether an administrator is made while there is none; true unless said otherwise. */
  createAdministrator?: boolean;
  /** The program of the workers, where it is not the product's own. */
  workerProgram?: string | undefined;
}

export interface Packhouse {
  app: App;
  deps: Deps;
  /** Who was created because there was no administrator. */
  firstAdministrator: FirstAdministrator | undefined;
  /** Starts to listen; gives the address under which it answers on this machine. */
  listen(): Promise<string>;
  /** Says that it stops, finishes what runs within the time that the settings give, then lets go of the jobs. The ground is its owner's to close. */
  close(): Promise<void>;
}

/** Puts features and adapters together. Tests and the demo start the product through it too. */
export async function createPackhouse(ground: Ground): Promise<Packhouse> {
  const { settings, database, clock, log } = ground;
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
  const storage = watchedStorage(ground.storage, metrics);
  const jobs = createJobs(database, listener, log, { watch: metrics, recorder });
  const { publication, published, start } = createPublication({
    db: database.db,
    storage,
    jobs,
    listener,
    settings,
    clock,
    log,
    watch: metrics,
  });
  const workers = createWorkers({ settings, watch: metrics, log, program: ground.workerProgram });
  const limits = createLimits(settings, metrics);
  metrics.watchLimits(limits);
  const deps: Deps = {
    workers,
    limits,
    db: database.db,
    storage,
    publication,
    manuals: await createManuals({ workers, db: database.db, storage, jobs, clock, log }),
    sessions: sessionTokens(secrets, settings["auth.session.minutes"], clock),
    provider: providerTokens(settings, clock, log),
    tokenAddresses: tokenAddresses(database.db, clock),
    downloads: createDownloads({ db: database.db, clock, log, watch: metrics, settings }),
    watch: metrics,
    recorder,
    settings,
    clock,
    log,
  };
  jobs.work("sweep-objects", async () => {
    const removed = await sweepObjects(deps);
    if (removed > 0) log.info({ removed }, "removed bytes that nothing names");
  });
  jobs.work("prune-security-events", async () => {
    const { removed, anonymized } = await pruneSecurityEvents(deps);
    if (removed + anonymized > 0) log.info({ removed, anonymized }, "removed what security events are not kept for");
  });
  const mirroring = createMirroring(deps, jobs);
  const facts = fillFacts(deps, jobs);
  const firstAdministrator = await oneAtATime(deps.db, "start", async () => {
    await recordSettingChanges(deps);
    await completeLogins(deps.db);
    await createPeopleOfSettings(deps, settings);
    return ground.createAdministrator === false ? undefined : createFirstAdministrator(deps, settings);
  });

  await removeEndedSessions(deps);

  let ready = false;
  const app = await createApplication(deps);
  healthRoutes(app, deps, () => ready);
  watchingRoutes(app, deps, metrics);
  signInRoutes(app, deps);
  secondFactorRoutes(app, deps);
  configurationRoutes(app, deps);
  userRoutes(app, deps);
  userSettingsRoutes(app, deps);
  sessionRoutes(app, deps);
  accessTokenRoutes(app, deps);
  repositoryRoutes(app, deps);
  mirrorRoutes(app, deps, mirroring);
  packageRoutes(app, deps);
  await submissionRoutes(app, deps);
  maintainerRoutes(app, deps);
  eventRoutes(app, deps, eventResources(deps));
  publicationRoutes(app, deps, published);
  await apiDescriptionRoutes(app, deps);
  await consoleRoutes(app, deps, ground.consoleFolder);
  await jobs.start();
  try {
    await applyDeclarations(deps, declarations);
  } catch (error) {
    await app.fastify.close();
    await jobs.stop(0);
    await listener.close();
    await workers.close();
    throw error;
  }
  for (const repository of await namesOfNoRepository(database.db, settings))
    log.warn({ repository }, "readRights names a repository that does not exist (yet)");
  await start();
  await deps.manuals.resume();
  await mirroring.start();
  await facts.start();
  await jobs.enqueue(deps.db, "sweep-objects", {});
  let metricsServer: Awaited<ReturnType<typeof startMetricsServer>> | undefined;

  return {
    app,
    deps,
    firstAdministrator,
    async listen() {
      const { "metrics.host": host, "metrics.port": port } = settings;
      if (port !== undefined) {
        const its = { host, port, setting: "metrics.port" } as const;
        metricsServer = await listening(its, () => startMetricsServer(metrics, { host, port }));
      }
      const own = { host: settings.host, port: settings.port, setting: "port" } as const;
      const address = await listening(own, () => app.fastify.listen({ host: settings.host, port: settings.port }));
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
