import type { PackageFile } from "@packhouse/formats/package-file";
import { sql } from "kysely";
import type { Db, Tx } from "../../../platform/db/database.ts";

type Named = Pick<PackageFile, "normalizedName" | "versionKey">;

/** What an upload means for the review of what waits already. */
export function answers(db: Db | Tx) {
  return {
    /** Whether the submitter of this submission has been asked for changes. */
    async areAskedOf(submissionId: number): Promise<boolean> {
      const row = await db
        .selectFrom("review_states")
        .select("submission_id")
        .where("submission_id", "=", submissionId)
        .where("changes_asked_on", "is not", null)
        .executeTakeFirst();
      return row !== undefined;
    },

    /** The release waits for a decision again. Returns whether it waited for changes. */
    async answer(repositoryId: number, { normalizedName, versionKey }: Named): Promise<boolean> {
      const { numAffectedRows = 0n } = await sql`
        update review_states set changes_asked_on = null
        where changes_asked_on is not null and submission_id in (
          select submissions.id from submissions join packages on packages.id = submissions.package_id
          where submissions.state = 'WAITING' and not packages.deleted and packages.repository_id = ${repositoryId}
            and packages.normalized_name = ${normalizedName} and packages.version_key = ${versionKey})`.execute(db);
      return numAffectedRows > 0n;
    },

    /**
     * What people have written about a file stays with the file that replaces it. Results of checks and who has opened
     * it end with it, because they were about other bytes.
     */
    async moveConversation(from: number, to: number): Promise<void> {
      for (const table of ["review_comments", "review_decisions", "review_marks", "review_assessments"] as const)
        await db.updateTable(table).set({ submission_id: to }).where("submission_id", "=", from).execute();
      await db
        .updateTable("review_states")
        .set({ submission_id: to, changes_asked_on: null })
        .where("submission_id", "=", from)
        .execute();
    },
  };
}
