import type { Insertable } from "kysely";
import type { Tx } from "../db/database.ts";
import type { Database } from "../db/schema.ts";

export async function insertEvent(tx: Tx, row: Insertable<Database["events"]>): Promise<void> {
  await tx.insertInto("events").values(row).execute();
}
