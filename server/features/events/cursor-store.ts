import { type RawBuilder, sql } from "kysely";

/** Where the next part starts: time of the last event, as the database writes it, and its id. */
export interface Cursor {
  time: string;
  id: number;
}

/** Whether a row comes after the cursor, newest first; phrased so that an index by time can start there. */
export function isAfter(table: "events" | "security_events", { time, id }: Cursor): RawBuilder<boolean> {
  const at = sql.ref(`${table}.occurred_on`);
  const cursor = sql`${time}::text::timestamptz`;
  return sql<boolean>`${at} <= ${cursor} and (${at} < ${cursor} or ${sql.ref(`${table}.id`)} > ${id})`;
}
