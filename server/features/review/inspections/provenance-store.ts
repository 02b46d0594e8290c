import { sql } from "kysely";
import type { Db } from "../../../platform/db/database.ts";
import type { InspectedPackage } from "./inspection-store.ts";

export interface Provenance {
  /** The newest accepted version, if it is above this one and this one was never accepted. */
  newest: string | null;
  /** A package of this name was accepted before, in this repository. */
  known: boolean;
  /** Its submitter has had no package of this name accepted. */
  first: boolean;
  /** A deleted file of this version had other bytes. */
  returns: boolean;
}

export const provenanceStore = (db: Db) => ({
  async of(it: InspectedPackage): Promise<Provenance> {
    const ofName = sql`packages.repository_id = ${it.repositoryId} and packages.normalized_name = ${it.normalizedName}
      and packages.id <> ${it.id} and submissions.state = 'ACCEPTED'`;
    const { rows } = await sql<Provenance>`
      select
        (select case when bool_or(packages.version_key = ${it.versionKey}) then null
            else (array_agg(packages.version order by packages.version_order desc)
              filter (where packages.version_order > ${it.versionOrder} collate "C"))[1] end
          from packages join submissions on submissions.package_id = packages.id
          where ${ofName} and packages.active and not packages.deleted) as newest,
        exists (select from packages join submissions on submissions.package_id = packages.id where ${ofName}) as known,
        not exists (select from packages join submissions on submissions.package_id = packages.id
          where ${ofName} and submissions.submitter_id = ${it.submitterId}) as first,
        ${it.replacesId === null}::boolean and (
          exists (select from packages join submissions on submissions.package_id = packages.id
            where ${ofName} and packages.deleted and packages.version_key = ${it.versionKey}
              and packages.kind = ${it.kind} and packages.target = ${it.target} and packages.digest <> ${it.digest})
          or exists (select from published_files
            where repository_id = ${it.repositoryId} and to_serial is not null and digest <> ${it.digest}
              and path = any(${publicPaths(it)}::text[])
              and not exists (select from packages
                where packages.digest = published_files.digest and packages.active and not packages.deleted))
        ) as returns`.execute(db);
    return rows[0] ?? { newest: null, known: true, first: false, returns: false };
  },
});

/** Where a source, or a file of a Python project, is served. */
const publicPaths = ({ name, normalizedName, fileName }: InspectedPackage): string[] => [
  `src/contrib/${fileName}`,
  `src/contrib/Archive/${name}/${fileName}`,
  `${normalizedName}/${fileName}`,
];

/** Names with such a beginning or end are few enough to be compared one by one; more than these are not. */
const mostNames = 50_000;
/** Sorts after every character of a name. */
const last = "\u{10ffff}";

export const knownNamesStore = (db: Db) => ({
  /**
   * Accepted names that may differ from this one in one place, or two next to each other, in repositories that are not
   * restricted. The characters before it, or those after it, are the same: of both there are almost half of the name.
   */
  async near(it: InspectedPackage, restricted: readonly string[]): Promise<string[]> {
    const { length } = it.normalizedName;
    const half = Math.floor((length - 2) / 2);
    if (half < 1) return [];
    const start = it.normalizedName.slice(0, half);
    const end = [...it.normalizedName.slice(-half)].reverse().join("");
    const { rows } = await sql<{ name: string }>`
      with alike as materialized (
        select repository_id, normalized_name as name from packages
        where technology = ${it.technology} and active and not deleted
          and (normalized_name collate "C" between ${start} and ${start + last}
            or reverse(normalized_name) collate "C" between ${end} and ${end + last})
          and length(normalized_name) between ${length - 1} and ${length + 1}
          and normalized_name <> ${it.normalizedName})
      select distinct alike.name from alike join repositories on repositories.id = alike.repository_id
      where repositories.name <> all(${restricted}::text[])
      order by 1 limit ${mostNames}`.execute(db);
    return rows.map(({ name }) => name);
  },
});
