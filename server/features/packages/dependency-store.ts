import type { PackageVersion } from "@packhouse/contract/dependencies";
import type { Technology } from "@packhouse/contract/technology";
import { sql } from "kysely";
import type { Actor } from "../../http/actor.ts";
import { readable } from "../../identity/read-right-store.ts";
import type { Db } from "../../platform/db/database.ts";
import type { Candidate } from "./contents/locate-dependencies.ts";
import type { Package } from "./package-columns-store.ts";

const mostDependents = 200;
/** How many versions of each package of each repository are compared, newest first, and how many in total. */
const mostVersions = 200;
const mostCandidates = 20_000;

const andReadable = (actor: Actor) => {
  const conditions = readable(actor, sql`repositories.id`);
  return conditions.length === 0 ? sql`` : sql` and ${sql.join(conditions, sql` and `)}`;
};

export async function versionsOf(
  db: Db,
  actor: Actor,
  technology: Technology,
  names: readonly string[],
): Promise<Candidate[]> {
  if (names.length === 0) return [];
  const { rows } = await sql<Candidate>`
    select id, name, version, technology, repository, "normalizedName" from (
      select packages.id, packages.name, packages.version, packages.technology, repositories.name as repository,
        packages.normalized_name as "normalizedName",
        row_number() over (partition by packages.repository_id, packages.normalized_name
          order by packages.version_order desc) as place
      from packages join repositories on repositories.id = packages.repository_id
      where packages.normalized_name = any(${names}) and packages.technology = ${technology}
        and packages.active and not packages.deleted and not repositories.deleted${andReadable(actor)}
    ) as versions
    where place <= ${mostVersions}
    order by place limit ${mostCandidates}`.execute(db);
  return rows;
}

export async function dependentsOf(
  db: Db,
  actor: Actor,
  { technology, normalized_name: name }: Package,
): Promise<PackageVersion[]> {
  const { rows } = await sql<PackageVersion>`
    select distinct on (repositories.name, packages.normalized_name)
      packages.id, packages.name, packages.version, packages.technology, repositories.name as repository
    from packages join repositories on repositories.id = packages.repository_id
    where packages.dependency_names @> ${[name]} and packages.technology = ${technology}
      and packages.active and not packages.deleted and not repositories.deleted${andReadable(actor)}
    order by repositories.name, packages.normalized_name, packages.version_order desc
    limit ${mostDependents}`.execute(db);
  return rows;
}
