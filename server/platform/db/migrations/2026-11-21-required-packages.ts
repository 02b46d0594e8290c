import { type Kysely, sql } from "kysely";

/**
 * What a package depends on, by normalized names, so that the packages that depend on one are found by an index. New
 * rows get it from the reader of their format; those that are there are read here, closely enough for names.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table packages add column dependency_names text[] collate "C" not null default '{}'`.execute(db);
  await sql`
    update packages set dependency_names = array(
      select distinct trim(split_part(part, '(', 1))
      from regexp_split_to_table(
        concat_ws(',', metadata->>'depends', metadata->>'imports', metadata->>'linkingTo', metadata->>'suggests',
          metadata->>'enhances'), ',') part
      where trim(split_part(part, '(', 1)) <> '')
    where technology = 'R'`.execute(db);
  await sql`
    update packages set dependency_names = array(
      select distinct regexp_replace(lower(found[1]), '[-_.]+', '-', 'g')
      from regexp_matches(metadata->>'requiresDist', '(?:^|, )([A-Za-z0-9][A-Za-z0-9._-]*)', 'g') found)
    where technology = 'Python' and metadata->>'requiresDist' is not null`.execute(db);
  await sql`
    create index packages_dependency_names on packages using gin (dependency_names)
    where active and not deleted`.execute(db);
}
