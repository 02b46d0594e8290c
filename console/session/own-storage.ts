import { z } from "zod";
import { type BrowserStorage, siteStorage, tabStorage } from "../storage/browser-storage.ts";

/** Begins the names of what a tab stores for its user until they sign out. */
export const tabPrefix = "packhouse.tab:";

/** The next user of this tab finds nothing of the one before. */
export function forgetTab(): void {
  for (const name of tabStorage.names(tabPrefix)) tabStorage.remove(name);
}

const owned = z.object({ user: z.number(), value: z.unknown() });

/** Browser storage for one user; other users of the same browser do not see it. */
export function readOwn<Schema extends z.ZodType>(
  key: string,
  userId: number,
  schema: Schema,
  storage: BrowserStorage = siteStorage,
): z.output<Schema> | undefined {
  try {
    const stored = owned.parse(JSON.parse(storage.read(key) ?? ""));
    return stored.user === userId ? schema.parse(stored.value) : undefined;
  } catch {
    return undefined; // missing, or not written by us
  }
}
/** Where the browser does not store it, nothing older stays. */
export function storeOwn(key: string, user: number, value: unknown, storage: BrowserStorage = siteStorage): void {
  storage.write(key, JSON.stringify({ user, value }));
}
