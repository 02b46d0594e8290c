import { type Kysely, sql } from "kysely";

/**
 * What the inspection of archives found, by the SHA-256 of their bytes, and how archives differ; without a base the
 * second digest is empty. All of it can be made again.
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
}
