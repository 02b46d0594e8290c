import { type RawBuilder, sql } from "kysely";
import type { Db, Tx } from "../db/database.ts";
import { onePlan } from "../db/prepared/prepared-statements.ts";

/** Counts what quotas limit. */
export function quotaStore(db: Db | Tx) {
  const only = async <Row>(query: RawBuilder<Row>): Promise<Row> => {
    const [row] = (await query.execute(db)).rows;
    if (!row) throw new Error("a count has one row");
    return row;
  };

  return {
    /** The bytes that a waiting file has replaced count as well, as long as reviewers can compare with them. */
    waiting: ({
      submitterId,
      repositoryId,
      replaces,
    }: {
      submitterId: number;
      repositoryId: number;
      replaces: number;
    }) =>
      only(sql<{ ofUser: number; bytesOfUser: number; inRepository: number }>`${sql.raw(onePlan)}
        select count(*) filter (where submissions.submitter_id = ${submitterId}) as "ofUser",
          coalesce(sum(packages.size + coalesce(previous_uploads.size, 0))
            filter (where submissions.submitter_id = ${submitterId}), 0)::bigint as "bytesOfUser",
          count(*) filter (where packages.repository_id = ${repositoryId}) as "inRepository"
        from submissions join packages on packages.id = submissions.package_id
          left join previous_uploads on previous_uploads.submission_id = submissions.id
        where submissions.state = 'WAITING' and not packages.deleted and packages.id <> ${replaces}`),

    accessTokens: (userId: number, now: Date) =>
      only(sql<{ all: number; active: number; next: Date | null }>`
        select count(*) as "all", count(*) filter (where active and expires_on >= ${now}) as active,
          min(expires_on) filter (where active and expires_on >= ${now}) as next
        from access_tokens where user_id = ${userId}`),
  };
}
