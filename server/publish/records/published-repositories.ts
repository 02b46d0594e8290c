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
  /** The serial that is served now, bypassing the cache; undefined if the repository is no longer served. */
  serialNow(id: number): Promise<number | undefined>;
  forget(id: number): void;
  /** Resolves when a repository is served at this serial or a later one, or on timeout. */
  served(id: number, serial: number, withinMs: number): Promise<void>;
  start(): Promise<void>;
}

const most = 10_000;

export function createPublishedRepositories(db: Db, listener: Listener): PublishedRepositories {
  const store = publicationStore(db);
  const known = new Map<string, PublishedRepository>();
  const waiting = new Set<(id: number, serial: number) => void>();
  /** Counts notifications: an answer in flight during one may be stale. */
  let heard = 0;

  const cached = (name: string) => {
    if (!listener.connected) known.clear();
    return known.get(name);
  };
  const forget = (id: number) => {
    heard += 1;
    for (const [name, repository] of known) if (repository.id === id) known.delete(name);
  };
  const forgetAll = () => {
    heard += 1;
    known.clear();
  };
  const hear = (payload: string) => {
    const [id = 0, serial = 0] = payload.split(" ").map(Number);
    forget(id);
    for (const wake of waiting) wake(id, serial);
  };

  return {
    known: cached,
    async byName(name) {
      const remembered = cached(name);
      if (remembered) return remembered;
      const before = heard;
      const listening = listener.connected;
      const found = await store.published(name);
      if (found && listening && listener.connected && heard === before && known.size < most) known.set(name, found);
      return found;
    },
    serialNow: (id) => store.serialOf(id),
    forget,
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
