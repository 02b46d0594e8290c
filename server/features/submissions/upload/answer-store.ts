import type { PackageFile } from "@packhouse/formats/package-file";
import { sql } from "kysely";
import type { Db, Tx } from "../../../platform/db/database.ts";
import type { Package } from "../../packages/package-columns-store.ts";

interface Upload extends Pick<PackageFile, "normalizedName" | "versionKey"> {
  repositoryId: number;
  uploaderId: number;
  /** Whether the uploader may edit the package. */
  edits: boolean;
}

/** The package of a waiting file. */
type ReplacedUpload = Pick<Package, "id" | "submission_id" | "submitter_id">;

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

    /**
     * What was asked of the uploader is answered: their own files of this version wait for a decision again. Users who
     * may edit the package answer for every submitter; another user's file joins the release and answers nothing.
     * Returns whether changes had been asked for.
     */
    async answer({ repositoryId, normalizedName, versionKey, uploaderId, edits }: Upload): Promise<boolean> {
      const { numAffectedRows = 0n } = await sql`
        update review_states set changes_asked_on = null
        where changes_asked_on is not null and submission_id in (
          select submissions.id from submissions join packages on packages.id = submissions.package_id
          where submissions.state = 'WAITING' and not packages.deleted and packages.repository_id = ${repositoryId}
            and packages.normalized_name = ${normalizedName} and packages.version_key = ${versionKey}
            and (${edits}::boolean or submissions.submitter_id = ${uploaderId}))`.execute(db);
      return numAffectedRows > 0n;
    },

    /**
     * Keeps the replaced bytes of a waiting file for comparison. If no reviewer has opened them, those that they had
     * replaced stay instead: they are the last ones that reviewers have seen.
     */
    async keepPrevious(replaced: ReplacedUpload, to: number): Promise<void> {
      await sql`
        with seen_before as (
          select digest, size, file_name from previous_uploads
          where submission_id = ${replaced.submission_id} and not exists (
            select from review_looks
            where submission_id = ${replaced.submission_id} and user_id <> ${replaced.submitter_id})
        )
        insert into previous_uploads (submission_id, digest, size, file_name)
        select ${to}::integer, digest, size, file_name from seen_before
        union all
        select ${to}::integer, digest, size, file_name from packages
        where id = ${replaced.id} and not exists (select from seen_before)`.execute(db);
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
