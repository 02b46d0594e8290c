import { type RawBuilder, sql } from "kysely";

/** Where reading in parts goes on: time of the last event, as the database writes it, and its id. */
export interface Cursor {
  time: string;
  id: number;
}

/** Whether a row comes behind the cursor, the newest first; said so that an index by time can begin there. */
export function isAfter(table: "events" | "security_events", { time, id }: Cursor): RawBuilder<boolean> {
  const at = sql.ref(`${table}.occurred_on`);
  const cursor = sql`${time}::text::timestamptz`;
  return sql<boolean>`${at} <= ${cursor} and (${at} < ${cursor} or ${sql.ref(`${table}.id`)} > ${id})`;
}
