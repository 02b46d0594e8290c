import type { Insertable } from "kysely";
import type { Tx } from "../db/database.ts";
import type { Database } from "../db/schema.ts";

export async function insertEvents(tx: Tx, rows: readonly Insertable<Database["events"]>[]): Promise<void> {
  if (rows.length > 0) await tx.insertInto("events").values(rows).execute();
}
