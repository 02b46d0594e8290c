import { type RawBuilder, sql } from "kysely";
import type { Db } from "../database.ts";

/**
 * Session locks, not transaction locks: they can be taken before a snapshot, and are released with the connection if
 * this process dies. `space` separates the purposes of locks; each purpose has its own keys.
 */
export interface SessionLock {
  space: number;
  key: number | string;
}

/** Does the work under the lock; `undefined`, without any work, if another connection holds it. */
export async function ifUnlocked<T>(connection: Db, lock: SessionLock, work: () => Promise<T>): Promise<T | undefined> {
  const { rows } = await sql<{ taken: boolean }>`select pg_try_advisory_lock(${keyOf(lock)}) as taken`.execute(
    connection,
  );
  return rows[0]?.taken ? thenUnlocked(connection, lock, work) : undefined;
}

/** Waits for the lock first. */
export async function onceUnlocked<T>(connection: Db, lock: SessionLock, work: () => Promise<T>): Promise<T> {
  await sql`select pg_advisory_lock(${keyOf(lock)})`.execute(connection);
  return thenUnlocked(connection, lock, work);
}

async function thenUnlocked<T>(connection: Db, lock: SessionLock, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    await sql`select pg_advisory_unlock(${keyOf(lock)})`.execute(connection);
  }
}

const keyOf = ({ space, key }: SessionLock): RawBuilder<unknown> =>
  typeof key === "number" ? sql`${space}::integer, ${key}::integer` : sql`${space}::integer, hashtext(${key})`;
