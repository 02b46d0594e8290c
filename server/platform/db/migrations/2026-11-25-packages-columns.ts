import { type Kysely, sql } from "kysely";

/**
 * Mirrored packages are told from those that people uploaded: the name of the mirror that brought them, null for uploads.
 * What mirrors may not bring, and what they did not bring. What names look like, null until it is first needed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table packages add column mirror text, add column name_look text`.execute(db);
  await sql`alter table repositories add column reserved_names text[] not null default '{}'`.execute(db);
  await sql`
    alter table mirrors
      add column shared_names boolean not null default false,
      add column reserved_names text[] not null default '{}',
      add column clashes jsonb not null default '[]',
      add column skipped jsonb not null default '[]'`.execute(db);
}
