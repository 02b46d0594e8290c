import type { Db } from "../../platform/db/database.ts";
import type { SubmissionRow } from "../../platform/db/schema.ts";

export function demoStore(db: Db) {
  return {
    submission: (id: number): Promise<SubmissionRow> =>
      db.selectFrom("submissions").selectAll().where("id", "=", id).executeTakeFirstOrThrow(),
  };
}
