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
  const { dependencies } = formatOf(row.technology);
  const needed = dependencies.read(row.metadata);
  const candidates = await versionsOf(db, actor, row.technology, dependencyNames(row.technology, row.metadata));
  return {
    dependencies: needed.map((one) => locate(one, row, candidates)),
    dependents: await dependentsOf(db, actor, row),
  };
}

function locate(
  needed: Dependency,
  { technology, repository }: Package,
  candidates: readonly Candidate[],
): DependencyItem {
  const { dependencies, normalizeName, compareVersions } = formatOf(technology);
  if (dependencies.isBuiltIn(needed.name)) return { ...needed, availability: "builtIn", found: null };
  const name = normalizeName(needed.name);
  const all = candidates
    .filter((it) => it.normalizedName === name)
    .sort((a, b) => compareVersions(b.version, a.version));
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
    select packages.id, packages.name, packages.version, packages.technology, repositories.name as repository,
      packages.normalized_name as "normalizedName"
    from packages join repositories on repositories.id = packages.repository_id
    where packages.normalized_name = any(${names}) and packages.technology = ${technology}
      and packages.active and not packages.deleted and not repositories.deleted${andReadable(actor)}`.execute(db);
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
