import { type MailChoices, noMailHost, usualMail } from "@packhouse/contract/mail";
import { rankOf } from "@packhouse/contract/roles";
import { type RawBuilder, sql } from "kysely";
import type { Db, Tx } from "../../platform/db/database.ts";
import { ifUnlocked } from "../../platform/db/transactions/session-lock.ts";
import type { Due, Notice } from "./mail.ts";
import type { NewComment } from "./notices.ts";

const usual = JSON.stringify(usualMail);

/** Users who can sign in and have an address; the provider gives none to some, who then have one that leads nowhere. */
const reachable = (at: Date) => sql<boolean>`
  users.active and not users.deleted and (users.expires_on is null or users.expires_on > ${at})
  and users.email not like ${`%${noMailHost}`}`;

/** Users who may have a role in the repository. What they may do there is checked when a mail is sent. */
const mayMaintainRepository = (repositoryId: RawBuilder<unknown>) => sql<boolean>`(users.rank = ${rankOf("admin")}
  or exists (
    select from repository_maintainers as record
    where record.user_id = users.id and record.repository_id = ${repositoryId} and not record.deleted))`;

/** The same for the package of a submission. */
const mayMaintainPackage = sql<boolean>`(users.id = packages.responsible_user_id
  or ${mayMaintainRepository(sql`packages.repository_id`)}
  or exists (
    select from package_maintainers as record
    where record.user_id = users.id and record.repository_id = packages.repository_id
      and record.normalized_name = packages.normalized_name and not record.deleted))`;

/** The first key of the locks of users whose mail is being sent; the second is the user. */
const lockSpace = 0x6d61696c;

/** Kinds of notices of which a later one about the same is news. */
const repeatedKinds = ["decisions", "comments", "mirrors"] as const;

export function mailNotices(db: Db | Tx) {
  /** Adds those of the candidates that their users want, each once; returns whom they are for. */
  async function add(candidates: RawBuilder<unknown>, { at, soon, daily }: Due): Promise<number[]> {
    const { rows } = await sql<{ user_id: number }>`
      insert into mail_notices (user_id, kind, submission_id, access_token_id, mirror_id, due_on)
      select candidates.user_id, candidates.kind, candidates.submission_id, candidates.access_token_id,
        candidates.mirror_id,
        case chosen.time when 'daily' then ${daily}::timestamptz else ${soon}::timestamptz end
      from (${candidates}) as candidates (user_id, kind, submission_id, access_token_id, mirror_id)
      join users on users.id = candidates.user_id and ${reachable(at)}
      left join user_settings on user_settings.user_id = users.id
      cross join lateral (
        select coalesce(user_settings.mail ->> candidates.kind, ${usual}::jsonb ->> candidates.kind) as time
      ) as chosen
      where chosen.time <> 'never'
      order by candidates.user_id
      -- What has been in a mail that is just being sent needs another one.
      on conflict (user_id, kind, submission_id, access_token_id, mirror_id) do update
        set batch = null, unknown_outcomes = 0, due_on = excluded.due_on
        where mail_notices.batch is not null and mail_notices.sent_on is null
          and mail_notices.kind in (${sql.join(repeatedKinds)})
      returning user_id`.execute(db);
    return [...new Set(rows.map(({ user_id }) => user_id))];
  }
  const ofReview = (submissionId: number) =>
    db
      .deleteFrom("mail_notices")
      .where("submission_id", "=", submissionId)
      .where("kind", "in", ["reviews", "otherReviews"]);

  return {
    /** For the user who is responsible for the package, and for others who may decide. */
    addReview: (submissionId: number, due: Due): Promise<number[]> =>
      add(
        sql`
          select users.id,
            -- Nobody decides about their own submission: if its submitter is responsible, it is for all others.
            case when packages.responsible_user_id in (users.id, submissions.submitter_id)
              then 'reviews' else 'otherReviews' end,
            submissions.id, null::integer, null::integer
          from submissions
          join packages on packages.id = submissions.package_id
          join users on users.id <> submissions.submitter_id and ${mayMaintainPackage}
          where submissions.id = ${submissionId}`,
        due,
      ),

    addDecision: (submissionId: number, due: Due): Promise<number[]> =>
      add(
        sql`
          select submitter_id, 'decisions', id, null::integer, null::integer from submissions
          where id = ${submissionId} and approver_id <> submitter_id`,
        due,
      ),

    /** For the submitter, who is to upload the version again. */
    addChangesAsked: (submissionId: number, due: Due): Promise<number[]> =>
      add(
        sql`
          select submitter_id, 'decisions', id, null::integer, null::integer from submissions
          where id = ${submissionId}`,
        due,
      ),

    /** For the submitter, and for others who have taken part in the review of the release. */
    addComment: ({ submissionId, authorId, files }: NewComment, due: Due): Promise<number[]> =>
      add(
        sql`
          select users.id, 'comments', ${submissionId}::integer, null::integer, null::integer
          from users
          where users.id <> ${authorId} and users.id in (
            select submitter_id from submissions where id = ${submissionId}
            union select author_id from review_comments where submission_id = any(${files}::integer[])
            union select user_id from review_decisions where submission_id = any(${files}::integer[])
            union select assignee_id from review_states
              where submission_id = any(${files}::integer[]) and assignee_id is not null)`,
        due,
      ),

    addMirror: (mirrorId: number, due: Due): Promise<number[]> =>
      add(
        sql`
          select users.id, 'mirrors', null::integer, null::integer, mirrors.id
          from mirrors join users on ${mayMaintainRepository(sql`mirrors.repository_id`)}
          where mirrors.id = ${mirrorId}`,
        due,
      ),

    /** Tokens in the last quarter of their lifetime, at most a week before they end; each once. */
    addTokens: (due: Due): Promise<number[]> =>
      add(
        sql`
          select user_id, 'tokens', null::integer, id, null::integer from access_tokens
          where active and expires_on > ${due.at}
            and expires_on - least(interval '7 days', (expires_on - created_on) / 4) <= ${due.at}`,
        due,
      ),

    /** Nothing needs to be decided any more. */
    async endReview(submissionId: number): Promise<void> {
      await ofReview(submissionId).execute();
    },

    /** The same, but who got mail about the submission, or is just getting it, is to get another one. */
    async cancelReview(submissionId: number, { soon }: Pick<Due, "soon">): Promise<number[]> {
      await ofReview(submissionId).where("batch", "is", null).execute();
      const rows = await db
        .updateTable("mail_notices")
        .set({ batch: null, unknown_outcomes: 0, sent_on: null, due_on: soon })
        .where("submission_id", "=", submissionId)
        .where("kind", "in", ["reviews", "otherReviews"])
        .returning("user_id")
        .execute();
      return rows.map(({ user_id }) => user_id);
    },

    /** A mail of this user that was made, and may not have been sent. */
    async unsentBatch(userId: number): Promise<string | undefined> {
      const row = await db
        .selectFrom("mail_notices")
        .select("batch")
        .where("user_id", "=", userId)
        .where("sent_on", "is", null)
        .where("batch", "is not", null)
        .orderBy("id")
        .limit(1)
        .executeTakeFirst();
      return row?.batch ?? undefined;
    },

    /** When the first and the last of a user's notices are due that are due before a time. */
    async dueBefore(userId: number, time: Date): Promise<{ first: Date; last: Date } | undefined> {
      const { rows } = await sql<{ first: Date | null; last: Date | null }>`
        select min(due_on) as first, max(due_on) as last from mail_notices
        where user_id = ${userId} and batch is null and sent_on is null and due_on <= ${time}`.execute(db);
      const { first, last } = rows[0] ?? {};
      return first && last ? { first, last } : undefined;
    },

    /** Makes one mail of these notices. */
    async makeBatch(userId: number, time: Date, batch: string): Promise<void> {
      await db
        .updateTable("mail_notices")
        .set({ batch })
        .where("user_id", "=", userId)
        .where("batch", "is", null)
        .where("sent_on", "is", null)
        .where("due_on", "<=", time)
        .execute();
    },

    async chosenBy(userId: number): Promise<{ language: string | null; choices: MailChoices } | undefined> {
      const { rows } = await sql<{ language: string | null; choices: MailChoices }>`
        select user_settings.language, ${usual}::jsonb || coalesce(user_settings.mail, '{}') as choices
        from users left join user_settings on user_settings.user_id = users.id
        where users.id = ${userId}`.execute(db);
      return rows[0];
    },

    async ofBatch(batch: string): Promise<Notice[]> {
      const { rows } = await sql<Notice>`
        select mail_notices.id, mail_notices.kind,
          case when submissions.id is not null then json_build_object(
            'id', submissions.id, 'state', submissions.state, 'name', packages.name, 'version', packages.version,
            'repository', json_build_object('id', repositories.id, 'name', repositories.name),
            'submitter', submitter.name, 'approver', coalesce(approver.name, asking.name),
            'commentedBy', comment.author, 'comment', coalesce(comment.text, ''),
            'changesAsked', asking.name is not null, 'reason', coalesce(submissions.reason, asking.reason, ''),
            'deleted', packages.deleted,
            'place', json_build_object(
              'repositoryId', packages.repository_id, 'normalizedName', packages.normalized_name,
              'responsibleId', packages.responsible_user_id, 'submitterId', submissions.submitter_id)
          ) end as submission,
          case when access_tokens.id is not null then json_build_object(
            'name', access_tokens.name, 'endsOn', access_tokens.expires_on, 'active', access_tokens.active)
          end as token,
          case when mirrors.id is not null then json_build_object(
            'name', mirrors.name, 'fails', coalesce(mirrors.failing, mirrors.errors <> '{}'),
            'repository', json_build_object('id', mirrored.id, 'name', mirrored.name,
              'technology', mirrored.technology, 'deleted', mirrored.deleted)) end as mirror
        from mail_notices
        left join submissions on submissions.id = mail_notices.submission_id
        left join packages on packages.id = submissions.package_id
        left join repositories on repositories.id = packages.repository_id
        left join users as submitter on submitter.id = submissions.submitter_id
        left join users as approver on approver.id = submissions.approver_id
        left join lateral (
          select users.name, review_decisions.reason
          from review_states
          join review_decisions on review_decisions.submission_id = review_states.submission_id
            and review_decisions.decision = 'CHANGES'
          join users on users.id = review_decisions.user_id
          where review_states.submission_id = submissions.id and submissions.state = 'WAITING'
            and review_states.changes_asked_on is not null
          order by review_decisions.id desc limit 1
        ) as asking on true
        left join lateral (
          select author.name as author, review_comments.text
          from review_comments join users as author on author.id = review_comments.author_id
          where mail_notices.kind = 'comments' and review_comments.submission_id = submissions.id
            and review_comments.deleted_on is null and author.id <> mail_notices.user_id
          order by review_comments.id desc limit 1
        ) as comment on true
        left join access_tokens on access_tokens.id = mail_notices.access_token_id
        left join mirrors on mirrors.id = mail_notices.mirror_id
        left join repositories as mirrored on mirrored.id = mirrors.repository_id
        where mail_notices.batch = ${batch} and mail_notices.sent_on is null
        order by mail_notices.id`.execute(db);
      return rows;
    },

    /** The mail was sent. What may need another mail stays. */
    async end(batch: string, at: Date): Promise<void> {
      await db.updateTable("mail_notices").set({ sent_on: at }).where("batch", "=", batch).execute();
      await db.deleteFrom("mail_notices").where("batch", "=", batch).where("kind", "in", repeatedKinds).execute();
    },

    /** The mail was certainly not sent: its notices become part of the next one. */
    async release(batch: string): Promise<void> {
      await db.updateTable("mail_notices").set({ batch: null }).where("batch", "=", batch).execute();
    },

    /** The mail may have been sent. Returns how often that was so. */
    async countUnknown(batch: string): Promise<number> {
      const rows = await db
        .updateTable("mail_notices")
        .set({ unknown_outcomes: sql`unknown_outcomes + 1` })
        .where("batch", "=", batch)
        .returning("unknown_outcomes as count")
        .execute();
      return Math.max(0, ...rows.map(({ count }) => count));
    },

    async drop(ids: readonly number[]): Promise<void> {
      await sql`delete from mail_notices where id = any(${ids}::integer[])`.execute(db);
    },

    /** Those that could not be sent since a time. Returns how many there were. */
    async dropOlder(than: Date): Promise<number> {
      const { numDeletedRows } = await db
        .deleteFrom("mail_notices")
        .where("sent_on", "is", null)
        .where("due_on", "<", than)
        .executeTakeFirst();
      return Number(numDeletedRows);
    },

    /** Users for whom something is due. */
    async usersWithDue(at: Date): Promise<number[]> {
      const rows = await db
        .selectFrom("mail_notices")
        .select("user_id")
        .distinct()
        .where("sent_on", "is", null)
        .where("due_on", "<=", at)
        .execute();
      return rows.map(({ user_id }) => user_id);
    },
  };
}

/** Does the work while no other process sends mail to the user; false, without any work, if one does. */
export async function aloneFor(db: Db, userId: number, work: () => Promise<void>): Promise<boolean> {
  return db.connection().execute(async (connection) => {
    const done = await ifUnlocked(connection, { space: lockSpace, key: userId }, async () => {
      await work();
      return true;
    });
    return done ?? false;
  });
}
