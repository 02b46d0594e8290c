import { type Kysely, sql } from "kysely";

/**
 * Indexes with the columns that lists of a large organization are counted, filtered and sorted by, so that the wide
 * rows themselves are read only for the rows of a page.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index packages_narrow on packages (id)
    include (repository_id, responsible_user_id, technology, active, deleted, kind, name, version_order, replaces_id)`.execute(
    db,
  );
  await sql`create index packages_repository on packages (repository_id, id) include (deleted)`.execute(db);

  await sql`alter table submissions add column technology text collate "C"`.execute(db);
  await sql`
    update submissions set technology = packages.technology
    from packages where packages.id = submissions.package_id`.execute(db);
  await sql`alter table submissions alter column technology set not null`.execute(db);
  await sql`
    create index submissions_package on submissions (package_id)
    include (id, state, technology, submitter_id, approver_id, created_on)`.execute(db);

  await sql`
    create index events_listed on events (occurred_on desc, id)
    include (event_type, resource_type, resource_id, technology, user_id, repository_id, purged)`.execute(db);
  await sql`create index events_purged on events (id) where purged`.execute(db);
  await sql`drop index events_time`.execute(db);
}
