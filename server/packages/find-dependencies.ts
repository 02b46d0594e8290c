import type { DependencyItem, PackageDependencies, PackageVersion } from "@packhouse/contract/dependencies";
import type { Technology } from "@packhouse/contract/technology";
import type { Dependency } from "@packhouse/formats/dependency";
import { formatOf } from "@packhouse/formats/format";
import { sql } from "kysely";
import type { Db } from "../db/database.ts";
import type { Actor } from "../sign-in/actor.ts";
import { readable } from "../sign-in/read-rights.ts";
import type { Package } from "./store.ts";

const mostDependents = 200;
const mostDependencies = 1000;
/** How many versions of each package of each repository are looked at, the newest first, and of all together. */
const mostVersions = 200;
const mostCandidates = 20_000;

/** Names as `dependency_names` has them. */
export function dependencyNames(technology: Technology, metadata: Readonly<Record<string, unknown>>): string[] {
  const { dependencies, normalizeName } = formatOf(technology);
  return [...new Set(dependencies.read(metadata).map(({ name }) => normalizeName(name)))];
}

interface Candidate extends PackageVersion {
  normalizedName: string;
}

/** What a package needs, where that can be had, and what needs it: two statements, however many there are. */
export async function findDependencies(db: Db, actor: Actor, row: Package): Promise<PackageDependencies> {
  const { dependencies, normalizeName, compareVersions } = formatOf(row.technology);
  const needed = dependencies.read(row.metadata).slice(0, mostDependencies);
  const names = [...new Set(needed.map(({ name }) => normalizeName(name)))];
  const candidates = await versionsOf(db, actor, row.technology, names);
  const byName = Map.groupBy(
    candidates.sort((a, b) => compareVersions(b.version, a.version)),
    ({ normalizedName }) => normalizedName,
  );
  return {
    dependencies: needed.map((one) => locate(one, row, byName.get(normalizeName(one.name)) ?? [])),
    dependents: await dependentsOf(db, actor, row),
  };
}

/** `all`: the versions of what is needed, the newest first. */
function locate(needed: Dependency, { technology, repository }: Package, all: readonly Candidate[]): DependencyItem {
  const { dependencies } = formatOf(technology);
  if (dependencies.isBuiltIn(needed.name)) return { ...needed, availability: "builtIn", found: null };
  const fit = all.filter(({ version }) => dependencies.satisfies(version, needed.constraint));
  const here = fit.find((it) => it.repository === repository.name);
  const found = here ?? fit[0] ?? all.find((it) => it.repository === repository.name) ?? all[0];
  return {
    ...needed,
    availability: here ? "here" : fit.length > 0 ? "elsewhere" : found ? "unfit" : "missing",
    found: found ? withoutNormalizedName(found) : null,
  };
}

const withoutNormalizedName = ({ normalizedName: _, ...version }: Candidate): PackageVersion => version;

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
