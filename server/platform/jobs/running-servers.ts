import type { OpenDatabase } from "../db/database.ts";

/** By this name the database knows the session in which a server listens, for as long as it runs. */
export const sessionOfServer = "packhouse server";

/** How many servers work with a database, on whatever machine. */
export async function runningServers({ pool }: Pick<OpenDatabase, "pool">): Promise<number> {
  const { rowCount } = await pool.query(
    "select from pg_stat_activity where datname = current_database() and application_name = $1",
    [sessionOfServer],
  );
  return rowCount ?? 0;
}
