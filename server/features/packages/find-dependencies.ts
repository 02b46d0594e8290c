import type { PackageDependencies, PackageVersion } from "@packhouse/contract/dependencies";
import type { Technology } from "@packhouse/contract/technology";
import { formatOf } from "@packhouse/formats/format";
import { sql } from "kysely";
import type { Actor } from "../../http/actor.ts";
import { readable } from "../../identity/read-right-store.ts";
import type { Db } from "../../platform/db/database.ts";
import type { Deps } from "../deps.ts";
import { findFacts } from "./contents/find-facts.ts";
import { type Candidate, locateDependencies } from "./contents/locate-dependencies.ts";
import { locateDependenciesTask } from "./contents/package-tasks.ts";
import type { Package } from "./store.ts";

const mostDependents = 200;
/** How many versions of each package of each repository are looked at, the newest first, and of all together. */
const mostVersions = 200;
const mostCandidates = 20_000;

/** What a package needs, where that can be had, and what needs it: three statements, however many there are. */
export async function findDependencies(
  deps: Pick<Deps, "db" | "storage" | "workers">,
  actor: Actor,
  row: Package,
): Promise<PackageDependencies> {
  const { dependencies: needed, incomplete } = await findFacts(deps, row);
  const { normalizeName } = formatOf(row.technology);
  const names = [...new Set(needed.map(({ name }) => normalizeName(name)))];
  const candidates = await versionsOf(deps.db, actor, row.technology, names);
  const wanted = { technology: row.technology, repository: row.repository.name, needed, candidates };
  // Without versions to compare, no constraint is read.
  const dependencies =
    candidates.length === 0
      ? locateDependencies(wanted)
      : await deps.workers.run(locateDependenciesTask, wanted, { whose: actor.id });
  const isShortened = incomplete.includes("dependencies") || dependencies.length < needed.length;
  return {
    dependencies,
    dependents: await dependentsOf(deps.db, actor, row),
    ...(isShortened ? { shortened: ["dependencies"] } : {}),
  };
}

const andReadable = (actor: Actor) => {
  const conditions = readable(actor, sql`repositories.id`);
  return conditions.length === 0 ? sql`` : sql` and ${sql.join(conditions, sql` and `)}`;
};

async function versionsOf(
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

async function dependentsOf(
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
