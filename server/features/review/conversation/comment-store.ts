import type { UserRef } from "@packhouse/contract/references";
import { sql } from "kysely";
import type { Db, Tx } from "../../../platform/db/database.ts";
import { userRef } from "../../../platform/db/pages/user-ref.ts";
import { isOneOf } from "../../../platform/db/statements/is-one-of.ts";

export interface StoredComment {
  id: number;
  submission_id: number;
  path: string | null;
  line: number | null;
  side: "before" | "after" | null;
  sha256: string | null;
  text: string;
  author: UserRef;
  created_on: Date;
  edited_on: Date | null;
  deleted_on: Date | null;
}

const select = (db: Db | Tx) =>
  db
    .selectFrom("review_comments")
    .innerJoin("users", "users.id", "review_comments.author_id")
    .select([
      "review_comments.id",
      "submission_id",
      "path",
      "line",
      "side",
      "sha256",
      "text",
      "review_comments.created_on",
      "edited_on",
      "deleted_on",
      userRef("users").as("author"),
    ]);

export interface NewComment {
  submission_id: number;
  author_id: number;
  text: string;
  path: string | null;
  line: number | null;
  side: "before" | "after" | null;
  sha256: string | null;
  created_on: Date;
}

/** How much there is of everyone, and of one user. */
interface Share {
  all: number;
  own: number;
}
const none: Share = { all: 0, own: 0 };

export function comments(db: Db | Tx) {
  return {
    byId: (id: number): Promise<StoredComment | undefined> =>
      select(db).where("review_comments.id", "=", id).executeTakeFirst(),

    /** Oldest first; deleted ones too, as places in the conversation. */
    of: (submissionIds: readonly number[]): Promise<StoredComment[]> =>
      select(db).where(isOneOf("submission_id", submissionIds)).orderBy("review_comments.id").execute(),

    async count(submissionId: number, authorId: number): Promise<Share> {
      const { rows } = await sql<Share>`
        select count(*) as "all", count(*) filter (where author_id = ${authorId}) as own
        from review_comments where submission_id = ${submissionId}`.execute(db);
      return rows[0] ?? none;
    },

    /** Characters of all comments and reasons. */
    async characters(submissionIds: readonly number[], authorId: number): Promise<Share> {
      const { rows } = await sql<Share>`
        select coalesce(sum(characters), 0)::bigint as "all",
          coalesce(sum(characters) filter (where author_id = ${authorId}), 0)::bigint as own
        from (
          select author_id, length(text) + coalesce(length(path), 0) as characters
          from review_comments where submission_id = any(${submissionIds})
          union all
          select user_id, length(reason) from review_decisions where submission_id = any(${submissionIds})
        ) as written`.execute(db);
      return rows[0] ?? none;
    },

    async add(comment: NewComment): Promise<number> {
      const { id } = await db.insertInto("review_comments").values(comment).returning("id").executeTakeFirstOrThrow();
      return id;
    },

    async edit(id: number, text: string, at: Date): Promise<void> {
      await db.updateTable("review_comments").set({ text, edited_on: at }).where("id", "=", id).execute();
    },

    /** Its text is gone; that there was a comment stays. */
    async remove(id: number, at: Date): Promise<void> {
      await db.updateTable("review_comments").set({ text: "", deleted_on: at }).where("id", "=", id).execute();
    },
  };
}
