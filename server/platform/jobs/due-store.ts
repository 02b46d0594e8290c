import { sql } from "kysely";
import type { Db } from "../db/database.ts";

/** Whether a job of this name is due that no handler has taken yet. */
export async function isJobDue(db: Db, name: string): Promise<boolean> {
  const { rows } = await sql<{ due: boolean }>`
    select exists (
      select from jobs.job where name = ${name} and state in ('created', 'retry') and start_after <= now()
    ) as due`.execute(db);
  return rows[0]?.due === true;
}
