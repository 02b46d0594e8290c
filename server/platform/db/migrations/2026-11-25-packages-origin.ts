import { type Kysely, sql } from "kysely";

export const transaction = false;

/**
 * Mirrors used to upload in the name of an administrator, who accepted it in the same step, with the mirror and the
 * address in the submission's changes. All other packages count as uploaded here: mirrors never replace those.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      update packages set mirror = brought.mirror
      from (
        select packages.id, substring(submissions.changes from '^Mirror (.+): https?://\\S+$') as mirror
        from packages
        join submissions on submissions.package_id = packages.id
        join users on users.id = submissions.submitter_id
        where packages.mirror is null and submissions.state = 'ACCEPTED'
          and submissions.approver_id = submissions.submitter_id and users.rank = 3
          and submissions.changes ~ '^Mirror .+: https?://\\S+$'
        limit 1000
      ) as brought
      where packages.id = brought.id`.execute(db);
    if (numAffectedRows === 0n) return;
  }
}
