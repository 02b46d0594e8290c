import { type Kysely, sql } from "kysely";

/**
 * How many packages of each kind every repository has, so that lists need not count them. A change adds rows, positive
 * and negative ones, instead of changing those that are there: so changes at the same time do not wait for each other.
 * Triggers add them, whatever changes the tables. Those of changes run before each row is changed, and see what the same
 * statement has changed before.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table package_counts (
      repository_id integer not null,
      technology text not null,
      kind text not null,
      mirrored boolean not null,
      deleted boolean not null,
      state text not null,
      number integer not null
    )`.execute(db);
  await sql`create index package_counts_repository on package_counts (repository_id)`.execute(db);

  // Adding these rows corrects the counts, whatever changes at the same time: both are read as of one moment.
  await sql`
    create view package_count_corrections as
    select repository_id, technology, kind, mirrored, deleted, state, sum(number)::integer as number
    from (
      select packages.repository_id, packages.technology, packages.kind, packages.mirror is not null as mirrored,
        packages.deleted, submissions.state, 1 as number
      from packages join submissions on submissions.package_id = packages.id
      union all
      select repository_id, technology, kind, mirrored, deleted, state, - number from package_counts
    ) as counted
    group by repository_id, technology, kind, mirrored, deleted, state
    having sum(number) <> 0`.execute(db);

  await sql`
    create function count_added_submissions() returns trigger language plpgsql as $$
    begin
      insert into package_counts (repository_id, technology, kind, mirrored, deleted, state, number)
      select packages.repository_id, packages.technology, packages.kind, packages.mirror is not null,
        packages.deleted, added.state, count(*)
      from added join packages on packages.id = added.package_id
      group by 1, 2, 3, 4, 5, 6;
      return null;
    end $$`.execute(db);
  await sql`
    create trigger submissions_counted after insert on submissions
    referencing new table as added for each statement execute function count_added_submissions()`.execute(db);

  await sql`
    create function count_changed_package() returns trigger language plpgsql as $$
    begin
      insert into package_counts (repository_id, technology, kind, mirrored, deleted, state, number)
      select old.repository_id, old.technology, old.kind, old.mirror is not null, old.deleted, state, -1
      from submissions where package_id = old.id;
      if tg_op = 'DELETE' then return old; end if;
      insert into package_counts (repository_id, technology, kind, mirrored, deleted, state, number)
      select new.repository_id, new.technology, new.kind, new.mirror is not null, new.deleted, state, 1
      from submissions where package_id = new.id;
      return new;
    end $$`.execute(db);
  await sql`
    create trigger packages_counted before update on packages
    for each row when (
      (old.repository_id, old.technology, old.kind, old.mirror is null, old.deleted)
      is distinct from (new.repository_id, new.technology, new.kind, new.mirror is null, new.deleted))
    execute function count_changed_package()`.execute(db);
  await sql`
    create trigger removed_packages_counted before delete on packages
    for each row execute function count_changed_package()`.execute(db);

  // The package is locked, so that it does not change at the same time.
  await sql`
    create function count_changed_submission() returns trigger language plpgsql as $$
    begin
      insert into package_counts (repository_id, technology, kind, mirrored, deleted, state, number)
      select repository_id, technology, kind, mirror is not null, deleted, old.state, -1
      from packages where id = old.package_id for no key update;
      if tg_op = 'DELETE' then return old; end if;
      insert into package_counts (repository_id, technology, kind, mirrored, deleted, state, number)
      select repository_id, technology, kind, mirror is not null, deleted, new.state, 1
      from packages where id = new.package_id;
      return new;
    end $$`.execute(db);
  await sql`
    create trigger changed_submissions_counted before update on submissions
    for each row when (old.state <> new.state) execute function count_changed_submission()`.execute(db);
  await sql`
    create trigger removed_submissions_counted before delete on submissions
    for each row execute function count_changed_submission()`.execute(db);
}
