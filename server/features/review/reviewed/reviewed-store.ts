import type { Technology } from "@packhouse/contract/technology";
import { sql } from "kysely";
import type { Db, Tx } from "../../../platform/db/database.ts";
import { isOneOf } from "../../../platform/db/statements/is-one-of.ts";
import type { PackageStatus } from "../../packages/package.ts";

/** A submission as its review needs it. */
export interface ReviewedSubmission extends PackageStatus {
  id: number;
  package_id: number;
  /** The package whose place it takes when it is accepted. */
  replaces_id: number | null;
  technology: Technology;
  name: string;
  version: string;
}

const columns = sql`
  submissions.id, submissions.state as submission_state, submissions.submitter_id, packages.id as package_id,
  packages.replaces_id, packages.technology, packages.name, packages.version, packages.normalized_name, packages.repository_id,
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
    async locked(id: number): Promise<{ submission: ReviewedSubmission | undefined; files: ReviewedSubmission[] }> {
      const known = (await reviewed(db).filesOf(id)).map((file) => file.id);
      if (known.length === 0) return { submission: undefined, files: [] };
      await db.selectFrom("submissions").select("id").where(isOneOf("id", known)).orderBy("id").forUpdate().execute();
      const files = (await reviewed(db).filesOf(id)).filter((file) => known.includes(file.id));
      return { submission: files.find((file) => file.id === id), files };
    },

    /**
     * The submissions of the same release, lowest id first: what waits with it, or was decided with it. It is one of
     * them.
     */
    async filesOf(id: number): Promise<ReviewedSubmission[]> {
      const { rows } = await sql<ReviewedSubmission>`
        select ${columns}
        join packages as file on (packages.repository_id, packages.normalized_name, packages.version_key)
          = (file.repository_id, file.normalized_name, file.version_key)
        join submissions as its on its.package_id = file.id
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
