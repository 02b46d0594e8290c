import { sql } from "kysely";
import type { Db } from "../../../platform/db/database.ts";
import type { PushedFile } from "./push-plan.ts";

/** The files pushed to a copy's place, by path. */
export function pushedFiles(db: Db, copyId: number) {
  return {
    async all(): Promise<Map<string, string>> {
      const rows = await db
        .selectFrom("pushed_files")
        .select(["path", "digest"])
        .where("copy_id", "=", copyId)
        .execute();
      return new Map(rows.map(({ path, digest }) => [path, digest]));
    },

    async change(deleted: readonly string[], stored: readonly PushedFile[]): Promise<void> {
      const latest = [...new Map(stored.map(({ path, digest }) => [path, digest]))];
      await db.transaction().execute(async (tx) => {
        await tx
          .deleteFrom("pushed_files")
          .where("copy_id", "=", copyId)
          .where(sql<boolean>`path = any(${deleted}::text[])`)
          .execute();
        await sql`
          insert into pushed_files (copy_id, path, digest)
          select ${copyId}, path, digest
          from unnest(${latest.map(([path]) => path)}::text[], ${latest.map(([, digest]) => digest)}::text[]) as file(path, digest)
          on conflict (copy_id, path) do update set digest = excluded.digest`.execute(tx);
      });
    },
  };
}
