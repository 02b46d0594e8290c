import { z } from "zod";

/** Begins the names of what a tab stores for its user until they sign out. */
export const tabPrefix = "packhouse.tab:";

/** The next user of this tab finds nothing of the one before. */
export function forgetTab(): void {
  for (const name of Object.keys(sessionStorage)) if (name.startsWith(tabPrefix)) sessionStorage.removeItem(name);
}

const owned = z.object({ user: z.number(), value: z.unknown() });

/** Browser storage for one user; other users of the same browser do not see it. */
export function readOwn<Schema extends z.ZodType>(
  key: string,
  userId: number,
  schema: Schema,
  storage: Storage = localStorage,
): z.output<Schema> | undefined {
  try {
    const stored = owned.parse(JSON.parse(storage.getItem(key) ?? ""));
    return stored.user === userId ? schema.parse(stored.value) : undefined;
  } catch {
    return undefined; // missing, or not written by us
  }
}
export const storeOwn = (key: string, user: number, value: unknown, storage: Storage = localStorage): void =>
  storage.setItem(key, JSON.stringify({ user, value }));
