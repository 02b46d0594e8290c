import type { OpenDatabase } from "../db/database.ts";

/** The application name of a server's listening session, which lasts as long as the server runs. */
export const sessionOfServer = "packhouse server";

/** How many servers use a database, on any machine. */
export async function runningServers({ pool }: Pick<OpenDatabase, "pool">): Promise<number> {
  const { rowCount } = await pool.query(
    "select from pg_stat_activity where datname = current_database() and application_name = $1",
    [sessionOfServer],
  );
  return rowCount ?? 0;
}
