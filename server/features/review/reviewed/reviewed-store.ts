import type { SubmissionState } from "@packhouse/contract/references";
import type { Technology } from "@packhouse/contract/technology";
import { sql } from "kysely";
import type { Db, Tx } from "../../../platform/db/database.ts";
import type { PackageStatus } from "../../packages/package.ts";

/** A submission as its review needs it. */
export interface ReviewedSubmission extends PackageStatus {
  id: number;
  package_id: number;
  technology: Technology;
  name: string;
  version: string;
}

const columns = sql`
  submissions.id, submissions.state as submission_state, submissions.submitter_id, packages.id as package_id,
  packages.technology, packages.name, packages.version, packages.normalized_name, packages.repository_id,
  packages.responsible_user_id, packages.deleted, false as restorable,
  json_build_object('id', repositories.id, 'name', repositories.name) as repository
  from submissions
  join packages on packages.id = submissions.package_id
  join repositories on repositories.id = packages.repository_id`;

export function reviewed(db: Db | Tx) {
  return {
    async byId(id: number): Promise<ReviewedSubmission | undefined> {
      const { rows } = await sql<ReviewedSubmission>`select ${columns} where submissions.id = ${id}`.execute(db);
      return rows[0];
    },

    /** Locked with the other files of its release, so that nothing else changes until the transaction ends. */
    async locked(id: number): Promise<{ submission: ReviewedSubmission | undefined; files: number[] }> {
      const files = (await reviewed(db).filesOf(id)).map((file) => file.id);
      if (files.length === 0) return { submission: undefined, files };
      const rows = await db
        .selectFrom("submissions")
        .select("id")
        .where("id", "in", files)
        .orderBy("id")
        .forUpdate()
        .execute();
      return { submission: await reviewed(db).byId(id), files: rows.map((row) => row.id) };
    },

    /**
     * The submissions of the same release, lowest id first: what waits with it, or was decided with it. It is one of
     * them.
     */
    async filesOf(id: number): Promise<{ id: number; state: SubmissionState }[]> {
      const { rows } = await sql<{ id: number; state: SubmissionState }>`
        select submissions.id, submissions.state
        from submissions as its
        join packages as file on file.id = its.package_id
        join packages on (packages.repository_id, packages.normalized_name, packages.version_key)
          = (file.repository_id, file.normalized_name, file.version_key)
        join submissions on submissions.package_id = packages.id
        where its.id = ${id} and (
          submissions.id = its.id
          or its.state = 'WAITING' and submissions.state = 'WAITING' and not packages.deleted
          or submissions.state = its.state and exists (
            select from review_decisions as one join review_decisions as other
              on other.decision = one.decision and other.decided_on = one.decided_on
            where one.submission_id = its.id and other.submission_id = submissions.id and one.decision = its.state))
        order by submissions.id`.execute(db);
      return rows;
    },
  };
}
