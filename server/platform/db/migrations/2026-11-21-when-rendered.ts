import { type Kysely, sql } from "kysely";

/** When each serial was first served, to find the state of a day; `public`: there was something to serve. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table rendered_serials (
      repository_id integer not null references repositories on delete cascade,
      serial integer not null,
      rendered_on timestamptz not null,
      public boolean not null,
      primary key (repository_id, serial)
    )`.execute(db);
  // Of earlier renders only the last state is known.
  await sql`
    insert into rendered_serials (repository_id, serial, rendered_on, public)
    select id, rendered_serial, coalesce(last_publication_on, last_modified_on), published and not deleted
    from repositories where rendered_serial > 0`.execute(db);
}
