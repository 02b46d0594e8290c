import { z } from "zod";
import type { Db } from "../../platform/db/database.ts";
import { lastSerial } from "./snapshot-store.ts";

const dayMs = 86_400_000;

/** Whether the first segment of a path below a repository names a state of it; `@blob` is part of the current one. */
export const namesSnapshot = (segment: string | undefined): segment is string =>
  segment?.startsWith("@") === true && segment !== "@blob";

/**
 * The serial denoted by `@{serial}`, `@YYYY-MM-DD` (the last one of that day in UTC, which must be over) or
 * `@{instant}` (the last one until then; ISO 8601 in UTC). Undefined if there was none yet, or if the serial or the time
 * is in the future: what such an address serves must never change.
 */
export async function serialOf(db: Db, repositoryId: number, name: string, now: Date): Promise<number | undefined> {
  const text = name.slice(1);
  if (/^\d{1,9}$/.test(text)) return lastSerial(db, repositoryId, { serial: Number(text) });
  const before = endOfDay(text);
  if (before !== undefined)
    return before > now.getTime() ? undefined : lastSerial(db, repositoryId, { before: new Date(before) });
  if (!z.iso.datetime().safeParse(text).success || Date.parse(text) > now.getTime()) return undefined;
  return lastSerial(db, repositoryId, { until: new Date(text) });
}

/** The end of a day (exclusive); undefined if it is not a day. */
const endOfDay = (text: string): number | undefined =>
  z.iso.date().safeParse(text).success ? Date.parse(`${text}T00:00:00Z`) + dayMs : undefined;
