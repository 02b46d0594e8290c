import { type RawBuilder, sql } from "kysely";
import type { Db, Tx } from "../../../platform/db/database.ts";
import type { PackageRow } from "../../../platform/db/schema.ts";
import { storedJson } from "../../../platform/db/stored-json.ts";
import { factsVersion, type PackageFacts, packageFacts } from "./package-facts.ts";

/** What is stored of the facts, after the id of their package; `facts` is their text. */
export const factsColumns = (facts: RawBuilder<string>) =>
  [sql<number>`${factsVersion}::integer`.as("version"), sql<string>`${facts}::jsonb`.as("facts")] as const;

export function factsStore(db: Db | Tx) {
  return {
    /** Undefined where this version of the program has read none. */
    async of(packageId: number): Promise<PackageFacts | undefined> {
      const row = await db
        .selectFrom("package_facts")
        .select("facts")
        .where("package_id", "=", packageId)
        .where("version", "=", factsVersion)
        .executeTakeFirst();
      return row && packageFacts.safeParse(row.facts).data;
    },
    /** Does nothing if the package is gone. */
    async save(packageId: number, facts: PackageFacts): Promise<void> {
      const text = storedJson(facts);
      await sql`
        insert into package_facts (package_id, version, facts)
        select id, ${factsVersion}::integer, ${text}::jsonb from packages where id = ${packageId}
        on conflict (package_id) do update set version = excluded.version, facts = excluded.facts`.execute(db);
    },
    /** The first packages beyond an id that were not read yet, or only by another version of the program. */
    missing(afterId: number, most: number): Promise<PackageRow[]> {
      return db
        .selectFrom("packages")
        .selectAll()
        .where("id", ">", afterId)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom("package_facts")
                .select("package_id")
                .whereRef("package_facts.package_id", "=", "packages.id")
                .where("package_facts.version", "=", factsVersion),
            ),
          ),
        )
        .orderBy("id")
        .limit(most)
        .execute();
    },
  };
}
