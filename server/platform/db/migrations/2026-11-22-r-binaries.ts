import { type Kysely, sql } from "kysely";

/**
 * An R repository has more than one folder: existing renders are those of its sources, and all existing R packages are
 * sources.
 */
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
