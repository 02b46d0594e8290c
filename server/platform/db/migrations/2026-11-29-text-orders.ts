import { type Kysely, sql } from "kysely";

export const transaction = false;

/** Lists can be sorted by the beginnings of these texts; without an index that reads and sorts every row. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ["title", "author", "description", "url", "description_content_type"])
    await makeIndex(db, `packages_${column}_order`, `left(${column}, 200), id`);
  // Many packages have the same, so that reading the other index backward leaves all of them to be sorted by id.
  for (const column of ["url", "description_content_type"])
    await makeIndex(db, `packages_${column}_descending`, `left(${column}, 200) desc, id`);
}

async function makeIndex(db: Kysely<unknown>, name: string, columns: string): Promise<void> {
  await sql`drop index concurrently if exists ${sql.ref(name)}`.execute(db);
  await sql`create index concurrently if not exists ${sql.ref(name)} on packages (${sql.raw(columns)})`.execute(db);
}
