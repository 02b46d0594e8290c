import { sql } from "kysely";
import type { Db } from "../../platform/db/database.ts";

export function doctorStore(db: Db) {
  return {
    async databaseServer(): Promise<{ version: number; pageCost: number; now: Date } | undefined> {
      const { rows } = await sql<{ version: number; pageCost: number; now: Date }>`
        select current_setting('server_version_num')::integer as version,
          current_setting('random_page_cost')::float8 as "pageCost", clock_timestamp() as now`.execute(db);
      return rows[0];
    },

    /** Whether a sign-in under this login failed here; deletes the record. */
    async takeFailure(login: string): Promise<boolean> {
      const { numDeletedRows } = await db.deleteFrom("sign_in_failures").where("login", "=", login).executeTakeFirst();
      return numDeletedRows > 0n;
    },

    repositories: () =>
      db
        .selectFrom("repositories")
        .select(["name", "server_address"])
        .where("deleted", "=", false)
        .orderBy("name")
        .execute(),

    failedCopies: () =>
      db
        .selectFrom("repository_copies")
        .innerJoin("repositories", "repositories.id", "repository_copies.repository_id")
        .select(["repositories.name", "place", "failures"])
        .where("failures", ">", 0)
        .orderBy("repositories.name")
        .execute(),

    mirrors: () => db.selectFrom("mirrors").select("uri").execute(),
  };
}
