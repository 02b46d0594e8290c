import { type Kysely, sql } from "kysely";

/** What people and tools say about waiting releases, and the summaries that lists of them show. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table submissions add column reason text`.execute(db);
  await sql`alter table repositories add column required_checks text[] not null default '{}'`.execute(db);
  await sql`
    create table review_states (
      submission_id integer primary key references submissions on delete cascade,
      changes_asked_on timestamptz,
      assignee_id integer references users on delete set null
    )`.execute(db);
  await sql`
    create table review_decisions (
      id integer generated always as identity primary key,
      submission_id integer not null references submissions on delete cascade,
      decision text collate "C" not null,
      reason text not null,
      user_id integer not null references users,
      decided_on timestamptz not null,
      passed_over text[] not null default '{}'
    )`.execute(db);
  await sql`create index review_decisions_submission on review_decisions (submission_id, id)`.execute(db);
  await sql`
    create table review_comments (
      id integer generated always as identity primary key,
      submission_id integer not null references submissions on delete cascade,
      path text,
      line integer,
      side text collate "C",
      sha256 text collate "C",
      text text not null,
      author_id integer not null references users,
      created_on timestamptz not null,
      edited_on timestamptz,
      deleted_on timestamptz
    )`.execute(db);
  await sql`create index review_comments_submission on review_comments (submission_id, id)`.execute(db);
  // Paths can be longer than what an index holds.
  await sql`
    create table review_marks (
      id integer generated always as identity primary key,
      submission_id integer not null references submissions on delete cascade,
      user_id integer not null references users on delete cascade,
      path text collate "C" not null,
      path_key text collate "C" not null,
      sha256 text collate "C" not null,
      unique (submission_id, user_id, path_key)
    )`.execute(db);
  await sql`
    create table review_looks (
      submission_id integer not null references submissions on delete cascade,
      user_id integer not null references users on delete cascade,
      opened_on timestamptz not null,
      until timestamptz not null,
      primary key (submission_id, user_id)
    )`.execute(db);
  await sql`
    create table review_checks (
      id integer generated always as identity primary key,
      submission_id integer not null references submissions on delete cascade,
      name text collate "C" not null,
      state text collate "C" not null,
      summary text not null,
      link text,
      annotations jsonb not null,
      user_id integer not null references users,
      reported_on timestamptz not null
    )`.execute(db);
  await sql`create index review_checks_submission on review_checks (submission_id, name, id)`.execute(db);
  await sql`
    create table review_assessments (
      submission_id integer primary key references submissions on delete cascade,
      category text collate "C" not null,
      comment text not null,
      user_id integer not null references users,
      assessed_on timestamptz not null
    )`.execute(db);
  await sql`
    create table review_summaries (
      submission_id integer primary key references submissions on delete cascade,
      level text collate "C" not null,
      counts jsonb not null,
      lines_added integer not null,
      lines_removed integer not null,
      incomplete boolean not null,
      base_package_id integer references packages on delete set null,
      made_on timestamptz not null
    )`.execute(db);
  await sql`create index review_summaries_base on review_summaries (base_package_id)`.execute(db);
}
