import type { UserRef } from "@packhouse/contract/references";
import type { FileMark, ReviewDecisionKind, RiskCategory } from "@packhouse/contract/review/conversation";
import { rankOf } from "@packhouse/contract/roles";
import { sql } from "kysely";
import { openTo } from "../../../identity/read-right-store.ts";
import type { Db, Tx } from "../../../platform/db/database.ts";
import { userRef } from "../../../platform/db/pages/user-ref.ts";
import { isOneOf } from "../../../platform/db/statements/is-one-of.ts";
import type { Settings } from "../../../platform/settings/settings.ts";

export interface StoredDecision {
  id: number;
  submission_id: number;
  decision: ReviewDecisionKind;
  reason: string;
  user: UserRef;
  decided_on: Date;
  passed_over: string[];
}

export interface StoredAssessment {
  category: RiskCategory;
  comment: string;
  user: UserRef;
  assessed_on: Date;
}

interface Mark {
  submissionId: number;
  userId: number;
  path: string;
  /** SHA-256 of the path. */
  key: string;
}

interface Deciders {
  at: Date;
  settings: Pick<Settings, "readRights">;
  /** Whether this user is one of them. */
  only?: number;
}

/** What reviewers note about a release, apart from comments. */
export function desk(db: Db | Tx) {
  return {
    /** Newest first. */
    decisions: (submissionIds: readonly number[]): Promise<StoredDecision[]> =>
      db
        .selectFrom("review_decisions")
        .innerJoin("users", "users.id", "review_decisions.user_id")
        .select(["review_decisions.id", "submission_id", "decision", "reason", "decided_on", "passed_over"])
        .select(userRef("users").as("user"))
        .where(isOneOf("submission_id", submissionIds))
        .orderBy("review_decisions.id", "desc")
        .execute(),

    /** How often changes were requested, also of what this submission replaced. */
    async changeRequests(submissionId: number): Promise<number> {
      const { count } = await db
        .selectFrom("review_decisions")
        .select((row) => row.fn.countAll<number>().as("count"))
        .where("submission_id", "=", submissionId)
        .where("decision", "=", "CHANGES")
        .executeTakeFirstOrThrow();
      return count;
    },

    /** The submission waits for its submitter. */
    async askForChanges(asked: { submissionId: number; userId: number; reason: string; at: Date }): Promise<void> {
      const { submissionId, userId, reason, at } = asked;
      await db
        .insertInto("review_states")
        .values({ submission_id: submissionId, changes_asked_on: at })
        .onConflict((conflict) => conflict.column("submission_id").doUpdateSet({ changes_asked_on: at }))
        .execute();
      await db
        .insertInto("review_decisions")
        .values({
          submission_id: submissionId,
          decision: "CHANGES",
          reason,
          user_id: userId,
          decided_on: at,
          passed_over: [],
        })
        .execute();
    },

    /** Ids of the users that submissions are assigned to, by submission; without those that nobody has. */
    async assigneesOf(submissionIds: readonly number[]): Promise<Map<number, number>> {
      const rows = await db
        .selectFrom("review_states")
        .select(["submission_id", "assignee_id"])
        .where(isOneOf("submission_id", submissionIds))
        .where("assignee_id", "is not", null)
        .$narrowType<{ assignee_id: number }>()
        .execute();
      return new Map(rows.map((row) => [row.submission_id, row.assignee_id]));
    },

    async assign(submissionIds: readonly number[], assigneeId: number | null): Promise<void> {
      await db
        .insertInto("review_states")
        .values(submissionIds.map((id) => ({ submission_id: id, assignee_id: assigneeId })))
        .onConflict((conflict) => conflict.column("submission_id").doUpdateSet({ assignee_id: assigneeId }))
        .execute();
    },

    marks: (submissionIds: readonly number[], userId: number): Promise<FileMark[]> =>
      db
        .selectFrom("review_marks")
        .select(["submission_id as submissionId", "path", "sha256"])
        .where(isOneOf("submission_id", submissionIds))
        .where("user_id", "=", userId)
        .orderBy("path")
        .execute(),

    /** How many files of a submission a user has marked, and the characters of the paths in its whole release. */
    async marked(submissionId: number, files: readonly number[], userId: number) {
      const { rows } = await sql<{ count: number; characters: number }>`
        select count(*) filter (where submission_id = ${submissionId}) as count,
          coalesce(sum(length(path)), 0)::bigint as characters
        from review_marks where submission_id = any(${files}) and user_id = ${userId}`.execute(db);
      return rows[0] ?? { count: 0, characters: 0 };
    },

    async mark({ submissionId, userId, path, key }: Mark, sha256: string): Promise<void> {
      await db
        .insertInto("review_marks")
        .values({ submission_id: submissionId, user_id: userId, path, path_key: key, sha256 })
        .onConflict((conflict) => conflict.columns(["submission_id", "user_id", "path_key"]).doUpdateSet({ sha256 }))
        .execute();
    },

    async unmark({ submissionId, userId, key }: Mark): Promise<void> {
      await db
        .deleteFrom("review_marks")
        .where("submission_id", "=", submissionId)
        .where("user_id", "=", userId)
        .where("path_key", "=", key)
        .execute();
    },

    /** The user has these open until then; what ends at once has been closed. */
    async look(
      submissionIds: readonly number[],
      userId: number,
      { at, until }: { at: Date; until: Date },
    ): Promise<void> {
      await db
        .insertInto("review_looks")
        .values(submissionIds.map((id) => ({ submission_id: id, user_id: userId, opened_on: at, until })))
        .onConflict((conflict) => conflict.columns(["submission_id", "user_id"]).doUpdateSet({ until }))
        .execute();
    },

    /** Others who have one of these open. */
    lookers: (submissionIds: readonly number[], userId: number, now: Date): Promise<UserRef[]> =>
      db
        .selectFrom("users")
        .select(["id", "name", "login", "email"])
        .where("id", "<>", userId)
        .where("id", "in", (users) =>
          users
            .selectFrom("review_looks")
            .select("user_id")
            .where(isOneOf("submission_id", submissionIds))
            .where("until", ">", now),
        )
        .orderBy("name")
        .orderBy("id")
        .limit(20)
        .execute(),

    assessmentOf: (submissionIds: readonly number[]): Promise<StoredAssessment | undefined> =>
      db
        .selectFrom("review_assessments")
        .innerJoin("users", "users.id", "review_assessments.user_id")
        .select(["category", "comment", "assessed_on"])
        .select(userRef("users").as("user"))
        .where(isOneOf("submission_id", submissionIds))
        .orderBy("assessed_on", "desc")
        .limit(1)
        .executeTakeFirst(),

    async assess(
      submissionIds: readonly number[],
      assessed: { category: RiskCategory; comment: string; userId: number; at: Date } | undefined,
    ): Promise<void> {
      await db.deleteFrom("review_assessments").where(isOneOf("submission_id", submissionIds)).execute();
      if (!assessed) return;
      const { category, comment, userId, at } = assessed;
      await db
        .insertInto("review_assessments")
        .values(submissionIds.map((id) => ({ submission_id: id, category, comment, user_id: userId, assessed_on: at })))
        .execute();
    },

    /**
     * Users who may decide on a submission and read its repository, those next to the package first; at most 20. Its
     * maintainers may always read it.
     */
    async deciders(submissionId: number, { at, settings, only }: Deciders): Promise<UserRef[]> {
      const { rows } = await sql<UserRef>`
        select users.id, users.name, users.login, users.email
        from submissions join packages on packages.id = submissions.package_id
        join repositories on repositories.id = packages.repository_id
        join users on users.id <> submissions.submitter_id and users.active and not users.deleted
          and (users.expires_on is null or users.expires_on > ${at})
        where submissions.id = ${submissionId} ${only === undefined ? sql`` : sql`and users.id = ${only}`} and (
          users.rank = ${rankOf("admin")}
          or users.id = packages.responsible_user_id and ${openTo(settings)}
          or users.rank = ${rankOf("repositorymaintainer")} and exists (
            select from repository_maintainers as record
            where record.user_id = users.id and record.repository_id = packages.repository_id and not record.deleted)
          or users.rank = ${rankOf("packagemaintainer")} and exists (
            select from package_maintainers as record
            where record.user_id = users.id and record.repository_id = packages.repository_id
              and record.normalized_name = packages.normalized_name and not record.deleted))
        order by (users.rank = ${rankOf("admin")}), users.name, users.id
        limit 20`.execute(db);
      return rows;
    },
  };
}
