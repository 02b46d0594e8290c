/** The browser did not store what the page cannot do without. */
export class NotStored extends Error {}

/** Browsers may refuse to store anything for a site, and storage can be full: nothing here throws unless it says so. */
export interface BrowserStorage {
  read(key: string): string | null;
  /** False if it is not stored. What was there before is removed then, because it is no longer true. */
  write(key: string, value: string): boolean;
  /** The same, but throws `NotStored`. */
  keep(key: string, value: string): void;
  remove(key: string): void;
  /** Names with a prefix. */
  names(prefix: string): string[];
}

function storageOf(open: () => Storage): BrowserStorage {
  function attempt<Result>(work: (storage: Storage) => Result, otherwise: Result): Result {
    try {
      return work(open());
    } catch {
      return otherwise;
    }
  }
  const remove = (key: string) => attempt((storage) => storage.removeItem(key), undefined);
  const write = (key: string, value: string) => {
    const stored = attempt((storage) => {
      storage.setItem(key, value);
      return true;
    }, false);
    if (!stored) remove(key);
    return stored;
  };
  return {
    read: (key) => attempt((storage) => storage.getItem(key), null),
    write,
    keep(key, value) {
      if (!write(key, value)) throw new NotStored(`the browser did not store ${key}`);
    },
    remove,
    names: (prefix) => attempt((storage) => Object.keys(storage), []).filter((name) => name.startsWith(prefix)),
  };
}

/** Shared by all tabs, until it is removed. */
export const siteStorage = storageOf(() => localStorage);
/** Of one tab, until it is closed. */
export const tabStorage = storageOf(() => sessionStorage);
