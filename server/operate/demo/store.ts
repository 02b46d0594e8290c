import { sql } from "kysely";
import type { Db } from "../../platform/db/database.ts";
import type { SubmissionRow } from "../../platform/db/schema.ts";

export function demoStore(db: Db) {
  return {
    submission: (
      id: number,
    ): Promise<Pick<SubmissionRow, "state" | "package_id"> & { repositoryId: number; normalizedName: string }> =>
      db
        .selectFrom("submissions")
        .innerJoin("packages", "packages.id", "submissions.package_id")
        .select([
          "submissions.state",
          "submissions.package_id",
          "packages.repository_id as repositoryId",
          "normalized_name as normalizedName",
        ])
        .where("submissions.id", "=", id)
        .executeTakeFirstOrThrow(),

    async repository(name: string): Promise<number> {
      const { id } = await db
        .selectFrom("repositories")
        .select("id")
        .where("name", "=", name)
        .executeTakeFirstOrThrow();
      return id;
    },

    /** The first waiting submission of a package, by its name and version. */
    async waiting(label: string): Promise<number> {
      const { id } = await db
        .selectFrom("submissions")
        .innerJoin("packages", "packages.id", "submissions.package_id")
        .select("submissions.id")
        .where("submissions.state", "=", "WAITING")
        .where(sql`packages.name || ' ' || packages.version`, "=", label)
        .orderBy("submissions.id")
        .limit(1)
        .executeTakeFirstOrThrow();
      return id;
    },
  };
}
