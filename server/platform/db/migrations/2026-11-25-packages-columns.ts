import { type Kysely, sql } from "kysely";

/**
 * Distinguishes mirrored packages from uploads: the name of the mirror, null for uploads. Names that mirrors may not
 * bring, and packages that they skipped. What names look like, null until first needed.
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
