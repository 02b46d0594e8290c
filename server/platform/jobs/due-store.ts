import { sql } from "kysely";
import { z } from "zod";
import type { Db, Tx } from "../db/database.ts";

const named = z.array(z.object({ name: z.string() }));

/** The names of jobs that are due and that no handler has taken yet. */
export async function kindsOfDueJobs(send: (text: string) => Promise<{ rows: unknown }>): Promise<Set<string>> {
  const { rows } = await send(`
    select distinct name from jobs.job
    where state < 'active' and not blocked -- by the index of waiting jobs
      and start_after <= now()`);
  return new Set(named.parse(rows).map(({ name }) => name));
}

/**
 * Whether a job of this name with this payload waits until after some seconds; then no handler takes it before the
 * transaction has ended, because handlers skip locked jobs.
 */
export async function holdWaitingJob(
  tx: Db | Tx,
  name: string,
  payload: Readonly<Record<string, unknown>>,
  afterSeconds: number,
): Promise<boolean> {
  const { rows } = await sql`
    select from jobs.job
    where name = ${name} and state < 'active' and not blocked and state = 'created' -- by the index of waiting jobs
      and start_after > now() + ${afterSeconds} * interval '1 second'
      and data @> ${JSON.stringify(payload)}::jsonb
    limit 1 for key share skip locked`.execute(tx);
  return rows.length > 0;
}
