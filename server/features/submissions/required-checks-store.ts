import { sql } from "kysely";
import type { Db, Tx } from "../../platform/db/database.ts";

/**
 * Names of checks that the repository of a submission requires and that have not passed. A check has passed when the
 * latest result of each file of the release that has one is `passed` or `neutral`, and one of them is `passed`.
 */
export async function missingChecks(db: Db | Tx, submissionId: number): Promise<string[]> {
  return (await missingChecksOf(db, [submissionId])).get(submissionId) ?? [];
}

/** The same for several; those that miss none are left out. */
export async function missingChecksOf(db: Db | Tx, submissionIds: readonly number[]): Promise<Map<number, string[]>> {
  const { rows } = await sql<{ id: number; name: string }>`
    select submissions.id, required.name
    from submissions
    join packages on packages.id = submissions.package_id
    join repositories on repositories.id = packages.repository_id
    cross join lateral unnest(repositories.required_checks) with ordinality as required (name, place)
    where submissions.id = any(${submissionIds}::integer[]) and not coalesce((
      select bool_and(latest.state in ('passed', 'neutral')) and bool_or(latest.state = 'passed')
      from (
        select distinct on (review_checks.submission_id) review_checks.state
        from packages as file
        join submissions as its on its.package_id = file.id
        join review_checks on review_checks.submission_id = its.id
        where (file.repository_id, file.normalized_name, file.version_key)
            = (packages.repository_id, packages.normalized_name, packages.version_key)
          and its.state = submissions.state and (not file.deleted or its.id = submissions.id)
          and review_checks.name = required.name
        order by review_checks.submission_id, review_checks.id desc
      ) as latest
    ), false)
    order by submissions.id, required.place`.execute(db);
  const missing = Map.groupBy(rows, ({ id }) => id);
  return new Map([...missing].map(([id, its]) => [id, its.map(({ name }) => name)]));
}
