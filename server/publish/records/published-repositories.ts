import { isDeepStrictEqual } from "node:util";
import type { Db } from "../../platform/db/database.ts";
import type { Listener } from "../../platform/jobs/listener.ts";
import { type PublishedRepository, publicationStore } from "./store.ts";

/**
 * The published repositories by name, cached between requests. A database trigger notifies every replica of each change
 * of a repository's row; while the notification connection is down, nothing is cached.
 */
export interface PublishedRepositories {
  byName(name: string): Promise<PublishedRepository | undefined>;
  /** The same if it is cached: one object until the repository changes. */
  known(name: string): PublishedRepository | undefined;
  /**
   * Resolves when a repository is served as it was when this was called, or is no longer cached. Until then, clients get
   * what they got before: if each of them read a repository that changes often, they would keep each other waiting.
   */
  refresh(id: number): Promise<void>;
  /** Resolves when a repository is served at this serial or a later one, or on timeout. */
  served(id: number, serial: number, withinMs: number): Promise<void>;
  start(): Promise<void>;
}

/** A repository as it is being read. */
interface Reading {
  found: Promise<PublishedRepository | undefined>;
  /** What has changed in the meantime: all repositories, or those with these ids. */
  changed: Set<number> | "everything";
}

const most = 10_000;

export function createPublishedRepositories(db: Db, listener: Listener): PublishedRepositories {
  const store = publicationStore(db);
  const known = new Map<string, PublishedRepository>();
  const waiting = new Set<(id: number, serial: number) => void>();
  /** The latest read of each name that is not cached. */
  const readings = new Map<string, Reading>();
  /** For each cached name that is being read again: the read that is under way, and the one that follows it. */
  const refreshing = new Map<string, { now: Promise<void>; next: Promise<void> | undefined }>();
  let reconnections = 0;

  const cached = (name: string) => {
    if (!listener.connected) known.clear();
    return known.get(name);
  };

  /** Keeps the object if nothing has changed. */
  const remember = (name: string, found: PublishedRepository) => {
    if (!isDeepStrictEqual(known.get(name), found)) known.set(name, found);
  };

  function read(name: string): Promise<PublishedRepository | undefined> {
    const latest = readings.get(name);
    // A request that comes after a change must not get what was read before it.
    if (latest && latest.changed !== "everything" && latest.changed.size === 0) return latest.found;
    const began = listener.connected;
    const reading: Reading = { found: store.published(name), changed: new Set() };
    readings.set(name, reading);
    const keep = (found: PublishedRepository | undefined) => {
      const isCurrent = found && reading.changed !== "everything" && !reading.changed.has(found.id);
      if (isCurrent && began && listener.connected && known.size < most) remember(name, found);
    };
    const end = () => {
      if (readings.get(name) === reading) readings.delete(name);
    };
    void reading.found.then(keep, () => {}).finally(end);
    return reading.found;
  }

  async function readAgain(name: string): Promise<void> {
    const before = reconnections;
    const found = await store.published(name).catch(() => undefined);
    if (found && listener.connected && reconnections === before) remember(name, found);
    else known.delete(name);
  }

  /** What has not begun yet serves all who ask for it. */
  function refreshName(name: string): Promise<void> {
    const underWay = refreshing.get(name);
    if (!underWay) {
      const now = readAgain(name).then(() => {
        if (!started.next) refreshing.delete(name);
      });
      const started = { now, next: undefined };
      refreshing.set(name, started);
      return now;
    }
    underWay.next ??= underWay.now.then(() => {
      refreshing.delete(name);
      return refreshName(name);
    });
    return underWay.next;
  }

  const refresh = async (id: number): Promise<void> => {
    for (const { changed } of readings.values()) if (changed !== "everything") changed.add(id);
    const names: string[] = [];
    for (const [name, repository] of known) if (repository.id === id) names.push(name);
    await Promise.all(names.map(refreshName));
  };
  const forgetAll = () => {
    reconnections += 1;
    for (const reading of readings.values()) reading.changed = "everything";
    known.clear();
  };
  const hear = (payload: string) => {
    const [id = 0, serial = 0] = payload.split(" ").map(Number);
    void refresh(id);
    for (const wake of waiting) wake(id, serial);
  };

  return {
    known: cached,
    byName: async (name) => cached(name) ?? read(name),
    refresh,
    served: (id, serial, withinMs) =>
      new Promise((resolve) => {
        const done = () => {
          clearTimeout(timer);
          waiting.delete(wake);
          resolve();
        };
        const wake = (changedId: number, changedSerial: number) => {
          if (changedId === id && changedSerial >= serial) done();
        };
        const timer = setTimeout(done, withinMs);
        waiting.add(wake);
      }),
    start: async () => {
      await listener.listen("repositories", hear, forgetAll);
    },
  };
}
