import { type Kysely, sql } from "kysely";

/**
 * What the inspection of archives found, by the SHA-256 of their bytes, and how archives differ; without a base the
 * second digest is empty. A summary is about a waiting package against its usual base, for lists. All of it can be made
 * again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table inspections (
      digest text collate "C" primary key,
      technology text collate "C" not null,
      inspector integer not null,
      inspection jsonb not null,
      made_on timestamptz not null
    )`.execute(db);
  await sql`
    create table comparisons (
      digest text collate "C" not null,
      base_digest text collate "C" not null,
      inspector integer not null,
      comparison jsonb not null,
      made_on timestamptz not null,
      primary key (digest, base_digest)
    )`.execute(db);
  await sql`
    create table review_summaries (
      package_id integer primary key references packages on delete cascade,
      inspector integer not null,
      base_id integer references packages on delete set null,
      level text collate "C",
      signals jsonb not null,
      incomplete boolean not null,
      lines_added integer not null,
      lines_removed integer not null,
      made_on timestamptz not null
    )`.execute(db);
  await sql`create index review_summaries_base on review_summaries (base_id)`.execute(db);
}
