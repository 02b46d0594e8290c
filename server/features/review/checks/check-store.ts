import type { UserRef } from "@packhouse/contract/references";
import { type CheckReport, type CheckResult, type CheckState, mostResults } from "@packhouse/contract/review/checks";
import { sql } from "kysely";
import type { Db, Tx } from "../../../platform/db/database.ts";
import { userRef } from "../../../platform/db/pages/user-ref.ts";
import { isOneOf } from "../../../platform/db/statements/is-one-of.ts";
import { storedJson } from "../../../platform/db/stored-json.ts";

interface StoredResult {
  id: number;
  submission_id: number;
  name: string;
  state: CheckState;
  summary: string;
  link: string | null;
  annotations: CheckResult["annotations"];
  user: UserRef;
  reported_on: Date;
}

/** A result before the latest one, without its texts. */
type EarlierResult = Pick<StoredResult, "id" | "submission_id" | "name" | "state" | "user" | "reported_on">;

/** Earlier results of all checks of a release that are listed. */
const mostHistory = 5_000;

export function checks(db: Db | Tx) {
  return {
    /** The latest result of each check of each submission. */
    latest: (submissionIds: readonly number[]): Promise<StoredResult[]> =>
      db
        .selectFrom("review_checks")
        .innerJoin("users", "users.id", "review_checks.user_id")
        .distinctOn(["review_checks.name", "submission_id"])
        .select([
          "review_checks.id",
          "submission_id",
          "review_checks.name",
          "state",
          "summary",
          "link",
          "annotations",
          "reported_on",
        ])
        .select(userRef("users").as("user"))
        .where(isOneOf("submission_id", submissionIds))
        .orderBy("review_checks.name")
        .orderBy("submission_id")
        .orderBy("review_checks.id", "desc")
        .execute(),

    /** Characters of the latest results, except that of one check of a submission. */
    async characters(submissionIds: readonly number[], except: { id: number; name: string }): Promise<number> {
      const { rows } = await sql<{ characters: number }>`
        select coalesce(sum(length(summary) + length(annotations::text)), 0)::bigint as characters from (
          select distinct on (name, submission_id) name, submission_id, summary, annotations
          from review_checks where submission_id = any(${submissionIds}) order by name, submission_id, id desc
        ) as latest where not (submission_id = ${except.id} and name = ${except.name})`.execute(db);
      return rows[0]?.characters ?? 0;
    },

    /** The newest results. */
    history: (submissionIds: readonly number[]): Promise<EarlierResult[]> =>
      db
        .selectFrom("review_checks")
        .innerJoin("users", "users.id", "review_checks.user_id")
        .select(["review_checks.id", "submission_id", "review_checks.name", "state", "reported_on"])
        .select(userRef("users").as("user"))
        .where(isOneOf("submission_id", submissionIds))
        .orderBy("review_checks.id", "desc")
        .limit(mostHistory)
        .execute(),

    async required(submissionId: number): Promise<string[]> {
      const row = await db
        .selectFrom("submissions")
        .innerJoin("packages", "packages.id", "submissions.package_id")
        .innerJoin("repositories", "repositories.id", "packages.repository_id")
        .select("required_checks")
        .where("submissions.id", "=", submissionId)
        .executeTakeFirst();
      return row?.required_checks ?? [];
    },

    /** How many checks there are besides this one, and the state that it has reported last. */
    async before(submissionId: number, name: string): Promise<{ others: number; state: CheckState | null }> {
      const { rows } = await sql<{ others: number; state: CheckState | null }>`
        select count(distinct name) filter (where name <> ${name}) as others,
          (array_agg(state order by id desc) filter (where name = ${name}))[1] as state
        from review_checks where submission_id = ${submissionId}`.execute(db);
      return rows[0] ?? { others: 0, state: null };
    },

    /** Adds a result; of each check the last ones are kept. */
    async add(
      submissionId: number,
      { name, state, summary, link, annotations }: CheckReport,
      { userId, at }: { userId: number; at: Date },
    ): Promise<void> {
      await db
        .insertInto("review_checks")
        .values({
          submission_id: submissionId,
          name,
          state,
          summary: summary ?? "",
          link: link ?? null,
          annotations: storedJson((annotations ?? []).map(({ line = null, ...one }) => ({ ...one, line }))),
          user_id: userId,
          reported_on: at,
        })
        .execute();
      await sql`
        delete from review_checks where id in (
          select id from review_checks where submission_id = ${submissionId} and name = ${name}
          order by id desc offset ${mostResults})`.execute(db);
    },
  };
}
