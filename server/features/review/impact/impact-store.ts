import type { Technology } from "@packhouse/contract/technology";
import { formatOf } from "@packhouse/formats/format";
import { sql } from "kysely";
import type { Actor } from "../../../http/actor.ts";
import { readable } from "../../../identity/read-right-store.ts";
import type { Db } from "../../../platform/db/database.ts";
import type { PackageRow } from "../../../platform/db/schema.ts";
import { selectors, selectorsFor } from "../../mirrors/records/mirror.ts";

/** An active file of the package, in this repository or another one. */
export interface OfferedFile {
  id: number;
  repositoryId: number;
  version: string;
  kind: "source" | "binary";
  /** R: the folder in which a binary is published. */
  target: string;
  /** R: `Depends`. Python: `Requires-Python`. */
  language: string | null;
  /** Python: the tags of a wheel. R: the version that a binary was built with. */
  builtFor: string | null;
}

/** A package that depends on the one in question, by one field. */
export interface Dependent {
  id: number;
  name: string;
  version: string;
  repository: string;
  repositoryId: number;
  kind: string;
  constraint: string;
  condition: string;
}

export interface WaitingFile extends OfferedFile {
  replacesId: number | null;
}

type Mirroring = Pick<PackageRow, "repository_id" | "technology">;
type ReleasedFile = Pick<PackageRow, "id" | "repository_id" | "normalized_name" | "version_key">;

const mostFiles = 20_000;
/** Packages whose constraint is compared; beyond them dependents are only counted. */
const mostDependents = 5000;

/** Packages that are counted among what a release needs in turn. */
const mostNeeded = 10_000;
/** Declarations that a package cannot be installed without. */
const requiredKinds = ["depends", "imports", "linkingTo", "requires"];
/** Whether a package cannot be installed without it. */
export const isRequired = ({ kind, condition }: Pick<Dependent, "kind" | "condition">): boolean =>
  requiredKinds.includes(kind) && !/\bextra\b/.test(condition);

const andReadable = (actor: Actor, column: string) => {
  const conditions = readable(actor, sql.ref(column));
  return conditions.length === 0 ? sql`` : sql` and ${sql.join(conditions, sql` and `)}`;
};

const offeredColumns = sql`packages.id, repository_id as "repositoryId", packages.version, packages.kind, target,
  coalesce(metadata ->> 'requiresPython', metadata ->> 'depends') as language,
  coalesce(metadata ->> 'compatibilityTags', metadata ->> 'rversion') as "builtFor"`;

interface Named {
  technology: Technology;
  normalizedName: string;
}

export const impactStore = (db: Db, actor: Actor) => ({
  async filesOf({ technology, normalizedName }: Named): Promise<OfferedFile[]> {
    const { rows } = await sql<OfferedFile>`
      select ${offeredColumns} from packages join repositories on repositories.id = repository_id
      where packages.technology = ${technology} and normalized_name = ${normalizedName} and active
        and not packages.deleted and not repositories.deleted${andReadable(actor, "repositories.id")}
      order by version_order desc limit ${mostFiles}`.execute(db);
    return rows;
  },

  /** The waiting files of a release, one of which is given whatever its state is. */
  async release({ id, repository_id, normalized_name, version_key }: ReleasedFile): Promise<WaitingFile[]> {
    const { rows } = await sql<WaitingFile>`
      select ${offeredColumns}, replaces_id as "replacesId"
      from packages join submissions on submissions.package_id = packages.id
      where packages.id = ${id} or (repository_id = ${repository_id} and normalized_name = ${normalized_name}
        and version_key = ${version_key} and submissions.state = 'WAITING' and not packages.deleted)
      order by packages.id`.execute(db);
    return rows;
  },

  /** The newest active version of each, by repository and name, and how many there are. */
  async dependentsOf({ technology, normalizedName }: Named): Promise<{ dependents: Dependent[]; total: number }> {
    const { rows } = await sql<Dependent & { total: number }>`
      with newest as (
        select distinct on (repositories.name, packages.normalized_name)
          packages.id, packages.name, packages.version, repositories.name as repository,
          repositories.id as "repositoryId"
        from packages join repositories on repositories.id = packages.repository_id
        where packages.dependency_names @> ${[normalizedName]} and packages.technology = ${technology}
          and packages.active and not packages.deleted and not repositories.deleted${andReadable(actor, "repositories.id")}
        order by repositories.name, packages.normalized_name, packages.version_order desc
      ), compared as (select * from newest order by repository, name limit ${mostDependents})
      select compared.*, (select count(*)::integer from newest) as total, declared.kind, declared."constraint", declared.condition
      from compared join package_facts on package_id = compared.id
        cross join lateral jsonb_to_recordset(facts -> 'dependencies')
          as declared(kind text, name text, "constraint" text, condition text)
      where ${nameKey(technology)} = ${normalizedName}
      order by compared.repository, compared.name`.execute(db);
    return { dependents: rows.map(({ total: _, ...dependent }) => dependent), total: rows[0]?.total ?? 0 };
  },

  /** These names, and those of what the newest versions in the repository need to be installed, and so on. */
  async neededInTurn({ repository_id, technology }: Mirroring, names: readonly string[]): Promise<string[]> {
    const { rows } = await sql<{ name: string }>`
      with recursive needed(name) as (
        select unnest(${names}::text[])
        union
        select ${nameKey(technology)}
        from needed
          cross join lateral (
            select packages.id from packages
            where packages.repository_id = ${repository_id} and packages.normalized_name = needed.name
              and packages.active and not packages.deleted
            order by packages.version_order desc limit 1) as newest
          join package_facts on package_facts.package_id = newest.id
          cross join lateral jsonb_to_recordset(package_facts.facts -> 'dependencies')
            as declared(kind text, name text, condition text)
        where declared.kind = any(${requiredKinds}::text[]) and declared.condition !~ '\\mextra\\M'
      ) select name from needed limit ${mostNeeded}`.execute(db);
    return rows.map(({ name }) => name);
  },

  /** Those of the names that a mirror of the repository fetches. */
  async mirrored({ repository_id, technology }: Mirroring, names: readonly string[]): Promise<Set<string>> {
    const rows = await db.selectFrom("mirrors").select("packages").where("repository_id", "=", repository_id).execute();
    const { normalizeName } = formatOf(technology);
    const wanted = rows.map(({ packages }) => selectors.parse(packages));
    const isFetched = (name: string) =>
      wanted.some((its) => its === null || selectorsFor(name, its, normalizeName).length > 0);
    return new Set(names.filter(isFetched));
  },
});

/** PEP 503; R's names are compared as they are. */
const nameKeys = {
  R: sql`declared.name`,
  Python: sql`regexp_replace(lower(declared.name), '[-_.]+', '-', 'g')`,
} as const;
const nameKey = (technology: Technology) => nameKeys[technology];
