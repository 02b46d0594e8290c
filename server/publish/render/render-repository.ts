import { setImmediate } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { Technology } from "@packhouse/contract/technology";
import type { Logger } from "pino";
import type { Clock } from "../../platform/clock.ts";
import type { Db, Tx } from "../../platform/db/database.ts";
import { type Last, pipelined } from "../../platform/db/transactions/pipelined.ts";
import { whenQuiet } from "../../platform/db/transactions/repository-turns.ts";
import { ifUnlocked } from "../../platform/db/transactions/session-lock.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import type { Watch } from "../../platform/observability/watch.ts";
import { copiesStore } from "../records/copies-store.ts";
import { type CopyPlaces, isPublic, type Placed } from "../records/copy.ts";
import { type Block, type IndexLayout, partKey, type RenderedPart, rootKey } from "../records/index-layout.ts";
import type { Changed, ChangeOfNames } from "../records/publication.ts";
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

/** Gets the blocks of a render as they are made, and has those in the end that are to be written with what names them. */
interface MadeBlocks {
  add(blocks: readonly Block[]): Promise<void>;
  last(): Promise<readonly Block[]>;
}

/**
 * Writes the blocks of a large render while the rest is rendered, so that they need neither memory nor time in the end.
 * Nothing names them yet; what a render that fails leaves behind is used by the next one. The last blocks are written
 * together with what names them.
 */
function earlyBlocks(db: Db): MadeBlocks {
  let last: readonly Block[] = [];
  let writing: Promise<unknown> = Promise.resolve();
  return {
    async add(blocks) {
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
    async last() {
      await writing;
      return last;
    },
  };
}

/** For a render of a few names. */
function heldBlocks(): MadeBlocks {
  const held: Block[] = [];
  return {
    add: async (blocks) => void held.push(...blocks),
    last: async () => held,
  };
}

async function render(deps: RenderDeps, repositoryId: number, blocks: MadeBlocks): Promise<Outcome> {
  const { db } = deps;
  const started = performance.now();
  const reading = db.transaction().setIsolationLevel("repeatable read").setAccessMode("read only");
  const rendition = await pipelined(reading, async (snapshot) => {
    const repository = await renderStore(snapshot).waiting(repositoryId);
    if (!repository || repository.serial === repository.rendered_serial) return undefined;
    return renderChanges(snapshot, repository, repository.changed, blocks);
  });
  if (!rendition) return "nothing to do";
  await pipelined(db.transaction(), async (tx, last) => {
    const store = renderStore(tx);
    await store.insertBlocks(rendition.blocks);
    // After the bytes, because every change of the repository needs its row, and before the rows that such a change
    // writes, too: taken in another order, the two would wait for each other.
    const locked = store.lockRepository(repositoryId);
    await Promise.all([locked, serveRendition(deps, tx, last, { ...rendition, wasReadLocked: false })]);
  });
  report(deps, rendition, started);
  return "rendered";
}

/** More would keep the repository locked for long. */
const mostNamesWithin = 10;

/** Looking for each file of a part among more names takes longer than comparing all of them with what is published. */
const mostNamesSearched = 10;

/**
 * Whether a change may render what it changes in its own transaction. Where an earlier change is still to be rendered,
 * a render of both may be under way, and the older one of two must not end last.
 */
export const rendersWithin = ({ repository, names }: ChangeOfNames): boolean =>
  isPublic(repository) && names.length <= mostNamesWithin && repository.serial === repository.rendered_serial;

/**
 * Renders what a change has changed, for `rendersWithin`, as the last part of its transaction. Returns what to do after
 * the commit, with whether copies have to follow.
 */
export async function renderWithin(
  deps: RenderDeps,
  tx: Tx,
  last: Last,
  { repository, names, raisesVersionBy }: ChangeOfNames,
): Promise<{ copied: boolean; report: () => void }> {
  const started = performance.now();
  const raised = { ...repository, serial: repository.serial + 1 };
  const rendition = await renderChanges(tx, raised, names, heldBlocks());
  const [, copied] = await Promise.all([
    renderStore(tx).insertBlocks(rendition.blocks),
    serveRendition(deps, tx, last, { ...rendition, raisesVersionBy, wasReadLocked: true }),
  ]);
  return { copied, report: () => report(deps, rendition, started) };
}

interface ServedRendition extends Rendition {
  raisesVersionBy?: number;
  /** Whether the repository was locked when its records were read: no file was taken down since. */
  wasReadLocked: boolean;
}

/** Replaces what is served of a locked repository. Returns whether copies have to follow. */
async function serveRendition(
  { clock, jobs, targets }: RenderDeps,
  tx: Tx,
  last: Last,
  { raisesVersionBy = 0, wasReadLocked, ...rendition }: ServedRendition,
): Promise<boolean> {
  const { repository } = rendition;
  const { id, serial } = repository;
  const store = renderStore(tx);
  const { removals, hasCopies } = await store.close(id, rendition, serial, clock());
  const copied = placesOf(targets, repository).length > 0 || hasCopies;
  const open = () => {
    // Not when the render began: what a snapshot of a moment in between has served must not change.
    const how = { at: clock(), isPublic: isPublic(repository), endsPublication: isPublic(repository) && !copied };
    return store.open(id, rendition, serial, { ...how, raisesVersionBy });
  };
  const mayNameRemoved = removals && !wasReadLocked;
  if (!mayNameRemoved && !copied) {
    last(open);
    return false;
  }
  await open();
  if (mayNameRemoved) await store.noteTakenDown(id, rendition.keys);
  if (!copied) return false;
  // With copies, the publication ends when they are complete.
  if (await planCopies(tx, targets, repository)) await jobs.enqueue(tx, "copy-repository", { repositoryId: id });
  else if (isPublic(repository)) await store.markPublished(id, clock());
  return true;
}

function report({ log, watch }: RenderDeps, { repository, fresh }: Rendition, started: number): void {
  const { technology, name, serial } = repository;
  const seconds = (performance.now() - started) / 1000;
  watch.rendered({ technology, seconds, parts: fresh.length });
  log.debug({ repository: name, serial, parts: fresh.length, seconds }, "rendered");
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

/** Compares the parts of what has changed with those that are served. */
async function renderChanges(
  snapshot: Db | Tx,
  repository: RenderedRow,
  changes: Changed,
  made: MadeBlocks,
): Promise<Rendition> {
  const store = renderStore(snapshot);
  const repositoryId = repository.id;
  const layout = layouts[repository.technology];
  if (!isPublic(repository)) {
    const keys = await store.currentKeys(repositoryId);
    return {
      repository,
      layout,
      changedNames: "everything",
      keys,
      parts: [],
      outdated: keys,
      added: [],
      fresh: [],
      blocks: [],
    };
  }

  const changedNames = changes === "everything" || changes.length > mostNamesSearched ? "everything" : changes;
  const isChanged = (name: string) => changedNames === "everything" || changedNames.includes(name);
  const { keys, weights } = await changedKeys(store, { id: repositoryId, changed: changes }, layout);
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
      store.packagesOf(repositoryId, { layout, as }, withPackages),
    ]);
    return { contents, packages };
  };
  for await (const { contents, packages } of oneAhead(batches([...keys, rootKey], weights), read)) {
    for (const [key, content] of contents) known.set(key, content);
    const some = await inTurns(packages, async ([key, its]) => [key, await layout.renderPart(as, its)] as const);
    for (const [key, { content, files }] of some)
      parts.push({ key, content, files: files.filter(({ name }) => isChanged(name)) });
    await made.add(some.flatMap(([key, part]) => changed(key, part)));
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
    layout,
    changedNames,
    keys,
    parts,
    outdated: [...gone, ...fresh.map(({ key }) => key)],
    added,
    fresh,
    blocks: [...(await made.last()), ...ofRoot],
  };
}

/** The parts to check, and how many packages are in each when that may be many. */
export async function changedKeys(
  store: ReturnType<typeof renderStore>,
  { id, changed }: { id: number; changed: Changed },
  layout: IndexLayout,
): Promise<{ keys: string[]; weights?: ReadonlyMap<string, number> }> {
  if (changed !== "everything") return { keys: [...new Set(changed.map((name) => partKey(layout, name)))] };
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
