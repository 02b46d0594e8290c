import { setImmediate } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { Technology } from "@packhouse/contract/technology";
import type { Logger } from "pino";
import type { Clock } from "../../platform/clock.ts";
import type { Db, Tx } from "../../platform/db/database.ts";
import { pipelined } from "../../platform/db/transactions/pipelined.ts";
import { whenQuiet } from "../../platform/db/transactions/repository-turns.ts";
import { ifUnlocked } from "../../platform/db/transactions/session-lock.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import type { Watch } from "../../platform/observability/watch.ts";
import { copiesStore } from "../records/copies-store.ts";
import { type CopyPlaces, isPublic, type Placed } from "../records/copy.ts";
import { type Block, type IndexLayout, partKey, type RenderedPart, rootKey } from "../records/index-layout.ts";
import { pythonLayout } from "./python-index.ts";
import { rLayout } from "./r-index.ts";
import { type PartChanges, type RenderedRow, renderStore, type Serials, type StoredPart } from "./render-store.ts";

export interface RenderDeps {
  db: Db;
  jobs: Pick<Jobs, "enqueue">;
  clock: Clock;
  /** Where repositories are published in addition to this server. */
  targets: readonly CopyPlaces[];
  log: Logger;
  watch: Pick<Watch, "rendered">;
}

export const layouts: Record<Technology, IndexLayout> = { R: rLayout, Python: pythonLayout };

/** First half of the advisory lock key held while a repository is rendered; the second is its id. */
export const lockSpace = 0x7061_636b;

/** One render for all changes that wait for their turn takes less time than one for each. */
const longestWaitForQuietMs = 25;

/** Packages that are in memory at once while a whole repository is rendered. */
const packagesAtOnce = 2000;

/**
 * Renders until the served index matches the records, and returns its state. One replica at a time renders a repository:
 * the others return undefined immediately, since the one that had the lock checks again after releasing it, even if
 * there was nothing to render. They check later whether it has failed. `rendered` gets the state after each render that
 * another one has to follow.
 */
export async function bringUpToDate(
  deps: RenderDeps,
  repositoryId: number,
  rendered: (state: Serials) => void = () => {},
): Promise<Serials | undefined> {
  const store = renderStore(deps.db);
  for (;;) {
    await whenQuiet(repositoryId, longestWaitForQuietMs);
    const outcome = await renderUnderLock(deps, repositoryId);
    if (outcome === "another replica renders") return undefined;
    const now = (await store.serials(repositoryId)) ?? gone;
    if (now.serial <= now.rendered_serial) return now;
    rendered(now);
  }
}

/** Nothing has to be rendered. */
const gone: Serials = {
  serial: Number.POSITIVE_INFINITY,
  rendered_serial: Number.POSITIVE_INFINITY,
  has_copies: false,
};

type Outcome = "rendered" | "nothing to do" | "another replica renders";

function renderUnderLock(deps: RenderDeps, repositoryId: number): Promise<Outcome> {
  const { db, clock } = deps;
  // A session lock, not a transaction lock: it must be held before the rendered snapshot is taken, and it is released
  // with the connection if this process dies.
  return db.connection().execute(async (connection) => {
    const outcome = await ifUnlocked(connection, { space: lockSpace, key: repositoryId }, async () => {
      const attempt = clock();
      try {
        return await render({ ...deps, db: connection }, repositoryId, earlyBlocks(db));
      } catch (error) {
        await renderStore(connection).markFailed(repositoryId, attempt);
        throw error;
      }
    });
    return outcome ?? "another replica renders";
  });
}

/** The difference between the served index and the records, ready to be written. */
interface Rendition extends PartChanges {
  repository: RenderedRow;
  blocks: readonly Block[];
}

type EarlyBlocks = ReturnType<typeof earlyBlocks>;

/**
 * Writes the blocks of a large render while the rest is rendered, so that they need neither memory nor time in the end.
 * Nothing names them yet; what a render that fails leaves behind is used by the next one. The last blocks are written
 * together with what names them.
 */
function earlyBlocks(db: Db) {
  let last: readonly Block[] = [];
  let writing: Promise<unknown> = Promise.resolve();
  return {
    async add(blocks: readonly Block[]): Promise<void> {
      await writing;
      const before = last;
      last = blocks;
      writing = renderStore(db)
        .insertBlocks(before)
        .catch(() => {
          // Such as without a free connection: they are written in the end.
          last = [...before, ...last];
        });
    },
    async last(): Promise<readonly Block[]> {
      await writing;
      return last;
    },
  };
}

async function render(
  { db, clock, jobs, targets, log, watch }: RenderDeps,
  repositoryId: number,
  early: EarlyBlocks,
): Promise<Outcome> {
  const started = performance.now();
  const reading = db.transaction().setIsolationLevel("repeatable read").setAccessMode("read only");
  const rendition = await pipelined(reading, (snapshot) => renderChanges(snapshot, repositoryId, early));
  if (!rendition) return "nothing to do";
  const { repository, blocks } = rendition;
  const { serial } = repository;

  await pipelined(db.transaction(), async (tx) => {
    const store = renderStore(tx);
    await store.insertBlocks(blocks);
    // After the bytes, because every change of the repository needs its row, and before the rows that such a change
    // writes, too: taken in another order, the two would wait for each other.
    const { hasCopies } = await store.lockRepository(repositoryId);
    // Not when it began: what a snapshot of a moment in between has served must not change.
    const at = clock();
    const copied = placesOf(targets, repository).length > 0 || hasCopies;
    const [{ removals }] = await Promise.all([
      store.close(repositoryId, rendition, serial, at),
      store.open(repositoryId, rendition, serial, { at, isPublic: isPublic(repository), copied }),
    ]);
    if (removals) await store.noteTakenDown(repositoryId, rendition.keys);
    // With copies, the publication ends when they are complete.
    if (!copied) return;
    if (await planCopies(tx, targets, repository)) await jobs.enqueue(tx, "copy-repository", { repositoryId });
    else if (isPublic(repository)) await store.markPublished(repositoryId, at);
  });
  const { technology, name } = repository;
  const seconds = (performance.now() - started) / 1000;
  watch.rendered({ technology, seconds, parts: rendition.fresh.length });
  log.debug({ repository: name, serial, parts: rendition.fresh.length, seconds }, "rendered");
  return "rendered";
}

/** Decides where a repository belongs in addition to this server. Returns whether anything has to be done. */
export function planCopies(db: Db | Tx, targets: readonly CopyPlaces[], repository: Placed): Promise<boolean> {
  return copiesStore(db).plan(repository.id, repository.technology, placesOf(targets, repository));
}

const placesOf = (targets: readonly CopyPlaces[], repository: Placed) =>
  isPublic(repository)
    ? targets.flatMap((target) => {
        const place = target.placeOf(repository);
        return place === undefined ? [] : [{ target: target.name, place }];
      })
    : [];

async function renderChanges(snapshot: Db, repositoryId: number, early: EarlyBlocks): Promise<Rendition | undefined> {
  const store = renderStore(snapshot);
  const repository = await store.waiting(repositoryId);
  if (!repository || repository.serial === repository.rendered_serial) return undefined;
  if (!isPublic(repository)) {
    const keys = await store.currentKeys(repositoryId);
    return { repository, keys, parts: [], outdated: keys, fresh: [], blocks: [] };
  }

  const layout = layouts[repository.technology];
  const { keys, weights } = await changedKeys(store, repository, layout);
  const as = { hashMethod: repository.hash_method, redirectToSource: repository.redirect_to_source };
  const known = new Map<string, unknown>();
  const parts: StoredPart[] = [];
  const fresh: Pick<StoredPart, "key" | "content">[] = [];
  /** The blocks of a part that differs from the one that is stored. */
  const changed = (key: string, { content, blocks }: RenderedPart): Block[] => {
    if (isDeepStrictEqual(known.get(key), content)) return [];
    fresh.push({ key, content });
    return blocks;
  };

  const read = async (some: readonly string[]) => {
    const withPackages = some.filter((key) => key !== rootKey);
    const [contents, packages] = await Promise.all([
      store.currentContents(repositoryId, some),
      store.packagesOf(repositoryId, layout, withPackages),
    ]);
    return { contents, packages };
  };
  for await (const { contents, packages } of oneAhead(batches([...keys, rootKey], weights), read)) {
    for (const [key, content] of contents) known.set(key, content);
    const some = await inTurns(packages, async ([key, its]) => [key, await layout.renderPart(as, its)] as const);
    for (const [key, { content, files }] of some) parts.push({ key, content, files });
    await early.add(some.flatMap(([key, part]) => changed(key, part)));
  }

  const rendered = new Set(parts.map(({ key }) => key));
  const gone = keys.filter((key) => known.has(key) && !rendered.has(key));
  const added = keys.filter((key) => !known.has(key) && rendered.has(key));
  const ofRoot: Block[] = [];
  if (gone.length > 0 || added.length > 0 || !known.has(rootKey)) {
    const keysNow = async () => {
      const all = new Set([...(await store.currentKeys(repositoryId)), ...added]);
      for (const key of [...gone, rootKey]) all.delete(key);
      return [...all].sort(byCodePoint);
    };
    ofRoot.push(...changed(rootKey, await layout.renderRoot(keysNow)));
  }
  return {
    repository,
    keys,
    parts,
    outdated: [...gone, ...fresh.map(({ key }) => key)],
    fresh,
    blocks: [...(await early.last()), ...ofRoot],
  };
}

/** The parts to check, and how many packages are in each when that may be many. */
export async function changedKeys(
  store: ReturnType<typeof renderStore>,
  { id, changed }: { id: number; changed: Set<string> | "everything" },
  layout: IndexLayout,
): Promise<{ keys: string[]; weights?: ReadonlyMap<string, number> }> {
  if (changed !== "everything") return { keys: [...new Set([...changed].map((name) => partKey(layout, name)))] };
  const weights = await store.packageKeys(id, layout);
  const keys = new Set([...(await store.currentKeys(id)), ...weights.keys()]);
  keys.delete(rootKey);
  return { keys: [...keys], weights };
}

/** Groups of keys with a bounded number of packages each. */
export function* batches(keys: readonly string[], weights?: ReadonlyMap<string, number>): Generator<string[]> {
  let batch: string[] = [];
  let weight = 0;
  for (const key of keys) {
    batch.push(key);
    weight += weights?.get(key) ?? 1;
    if (weight < packagesAtOnce) continue;
    yield batch;
    batch = [];
    weight = 0;
  }
  if (batch.length > 0) yield batch;
}

/** Starts the work on the next item while the result of the last one is used. */
async function* oneAhead<Item, Result>(
  items: Iterable<Item>,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  let before: Promise<Result> | undefined;
  for (const item of items) {
    const now = work(item);
    now.catch(() => {}); // reported when it is awaited, unless its consumer has failed before
    if (before) yield await before;
    before = now;
  }
  if (before) yield await before;
}

/**
 * Begins with one item in each turn of the event loop, so that other work need not wait for all of them. They overlap,
 * since long pieces are compressed by other threads.
 */
async function inTurns<Item, Result>(items: Iterable<Item>, work: (item: Item) => Promise<Result>): Promise<Result[]> {
  const begun: Promise<Result>[] = [];
  for (const item of items) {
    const result = work(item);
    result.catch(() => {}); // reported below
    begun.push(result);
    await setImmediate();
  }
  return Promise.all(begun);
}

export const byCodePoint = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
