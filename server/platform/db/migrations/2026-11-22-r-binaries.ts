import { type Kysely, sql } from "kysely";

/** An R repository is more than one folder: what was rendered so far is that of its sources, and all R packages are such. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    update index_parts set content = jsonb_build_object(
      'folders', jsonb_build_object('src/contrib', content), 'redirectToSource', repositories.redirect_to_source)
    from repositories
    where repositories.id = repository_id and technology = 'R' and key <> ''`.execute(db);
  await sql`
    update packages set metadata = metadata || '{"rversion": null, "architecture": null, "distribution": null}'
    where technology = 'R'`.execute(db);
}
