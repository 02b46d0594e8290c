import { sql } from "kysely";
import { packages } from "../../features/packages/store.ts";
import type { Db, Tx } from "../../platform/db/database.ts";
import { pythonMetadata, rMetadata } from "./many-records.ts";
import { vacuum } from "./vacuum.ts";

/**
 * Fills a repository by SQL with packages that are published but have no bytes: each name in the given number of
 * versions. Within a transaction, PostgreSQL has no statistics of them.
 */
export async function fillRepository(
  db: Db | Tx,
  repository: { id: number; technology: "R" | "Python" },
  { names, versions }: { names: number; versions: number },
): Promise<void> {
  const { id, technology } = repository;
  const metadata = JSON.stringify(technology === "R" ? rMetadata : pythonMetadata);
  const separator = technology === "R" ? "_" : "-";
  await sql`
    insert into packages (repository_id, technology, responsible_user_id, name, normalized_name, version, version_key,
      version_order, kind, target, file_name, digest, digests, size, title, description, description_content_type, author,
      license, metadata, active, uploaded_on)
    select ${id}, ${technology}, (select min(id) from users), name, name, '1.' || v, '1.' || v, '1.' || lpad(v::text, 3, '0'),
      'source', '', name || ${separator} || '1.' || v || '.tar.gz', sha256, jsonb_build_object('md5', md5(sha256), 'sha256', sha256),
      20000 + n, 'Title of ' || name, 'What ' || name || ' does.', 'txt', 'Ada Fern', 'GPL-3', ${metadata}::jsonb, true,
      '2025-01-01'::timestamptz + n * interval '1 minute'
    from generate_series(1, ${names}) n
    cross join generate_series(0, ${versions - 1}) v
    cross join lateral (select substr(md5(n::text), 1, 6) || n as tail) as t
    cross join lateral (select 'p' || translate(tail, '0123456789', 'ghijklmnop') as name) as named
    cross join lateral (select encode(sha256((name || v)::bytea), 'hex') as sha256) as digested`.execute(db);
  await sql`
    insert into submissions (package_id, technology, submitter_id, approver_id, state, changes, created_on)
    select id, technology, responsible_user_id, responsible_user_id, 'ACCEPTED', '', uploaded_on
    from packages where repository_id = ${id}`.execute(db);
  // As uploads do; left to the first one, all later ones would be planned by statistics of the time before.
  await packages(db).fillLooks(id);
  if (!db.isTransaction) await vacuum(db);
}
