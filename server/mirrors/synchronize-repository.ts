import { formatOf } from "@packhouse/formats/format";
import type { Deps } from "../deps.ts";
import { refusalOf } from "../http/application.ts";
import type { Actor } from "../sign-in/actor.ts";
import { firstAdministrator } from "../sign-in/first-administrator.ts";
import { fetchFile } from "./fetch-file.ts";
import { boundedErrors, type WantedFile } from "./mirror.ts";
import { forEach } from "./pace.ts";
import { alone, type Mirror, type MirroringRepository, mirrors, synchronizations } from "./store.ts";
import { upstreams } from "./upstream.ts";
import type { UpstreamClient } from "./upstream-client.ts";
import { UpstreamFailure } from "./upstream-failure.ts";

/** How long clients wait for what a long run has brought. */
const publishEveryMs = 30_000;

interface Run {
  client: UpstreamClient;
  /** Ends the run where it is; what is stored stays, and the next run goes on from there. */
  signal: AbortSignal;
}

/**
 * Brings a repository what its mirrors have: those of one schedule, or all. False when somebody is at it already.
 * What cannot be had is told by the status of the mirror; the run goes on with the next package.
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
      for (const mirror of due) await synchronizeMirror(deps, run, repository, mirror);
      await deps.publication.render(repositoryId);
      await deps.publication.settled([repositoryId]);
    }
    await synchronizations(deps.db).end(repositoryId, deps.clock());
  });
}

async function synchronizeMirror(deps: Deps, run: Run, repository: MirroringRepository, mirror: Mirror): Promise<void> {
  const errors: string[] = [];
  let stored = 0;
  await mirrors(deps.db).begin(mirror.id, deps.clock());
  try {
    const actor = await firstAdministrator(deps);
    if (!actor) throw new UpstreamFailure("there is no active administrator in whose name packages could be uploaded");
    stored = await bring(deps, run, repository, mirror, actor, errors);
  } catch (error) {
    run.signal.throwIfAborted();
    errors.push(reasonOf(deps, error, { mirror: mirror.name }));
  }
  await mirrors(deps.db).end(mirror.id, { ended_on: deps.clock(), stored, errors: boundedErrors(errors) });
  deps.log.info({ repository: repository.name, mirror: mirror.name, stored, errors: errors.length }, "synchronised");
}

/** Fetches whatever is wanted and not here; gives how many packages that were. */
async function bring(
  deps: Deps,
  { client, signal }: Run,
  repository: MirroringRepository,
  mirror: Mirror,
  actor: Actor,
  errors: string[],
): Promise<number> {
  const upstream = upstreams[repository.technology];
  const { normalizeName } = formatOf(repository.technology);
  const atOnce = deps.settings["mirrors.parallel"];
  const { publication } = deps;
  // What a run brings is published together, now and then: a render for each package would only slow it down.
  const unhurried: Deps = {
    ...deps,
    publication: { ...publication, request: publication.note, settled: async () => "served" },
  };
  const fetching = { client, actor, repository, origin: `Mirror ${mirror.name}`, signal };
  const failed = (what: string) => errors.push(what);
  let stored = 0;
  let rendered = performance.now();
  const publishNowAndThen = async () => {
    if (performance.now() - rendered < publishEveryMs) return;
    rendered = performance.now();
    await publication.render(repository.id);
  };

  const fetchMissing = async (files: readonly WantedFile[]) => {
    const names = [...new Set(files.map(({ name }) => normalizeName(name)))];
    const present = Map.groupBy(await mirrors(deps.db).present(repository.id, names), (it) => it.normalizedName);
    await forEach(files, atOnce, async (file) => {
      const why = upstream.whyFetch(file, present.get(normalizeName(file.name)) ?? []);
      if (!why) return;
      try {
        const isNew = await client.inTurn(() => fetchFile(unhurried, fetching, file, why === "changed"));
        if (isNew) stored += 1;
        await publishNowAndThen();
      } catch (error) {
        signal.throwIfAborted();
        failed(`${file.name} ${file.version}: ${reasonOf(deps, error, { address: file.address })}`);
      }
    });
  };

  await forEach(
    await upstream.parts({ db: deps.db, workers: deps.workers, client, mirror, signal, failed }),
    atOnce,
    async (part) => {
      let files: WantedFile[];
      try {
        files = await client.inTurn(part);
      } catch (error) {
        signal.throwIfAborted();
        failed(reasonOf(deps, error, { mirror: mirror.name }));
        return;
      }
      await fetchMissing(files);
    },
  );
  return stored;
}

/** For the status. What nobody expected goes to the log, too. */
function reasonOf({ log }: Deps, error: unknown, about: Record<string, string>): string {
  if (error instanceof UpstreamFailure) return error.message;
  const refusal = refusalOf(error);
  if (refusal) return Array.isArray(refusal.data) ? refusal.data.map(String).join("; ") : refusal.message;
  log.error({ err: error, ...about }, "synchronisation failed");
  return "it failed for a reason that the log of the server has";
}
