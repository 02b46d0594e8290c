import { z } from "zod";

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
