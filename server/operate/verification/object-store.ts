import type { Technology } from "@packhouse/contract/technology";
import { sql } from "kysely";
import type { Db, Tx } from "../../platform/db/database.ts";
import type { Digests } from "../../platform/db/schema.ts";
import { namedObjectsQuery } from "../../platform/storage/named-object-store.ts";
import type { StoredObject } from "../../platform/storage/storage.ts";

/** Rows in memory at a time, however many there are. */
const atOnce = 1000;

/**
 * What the storage holds, compared with the rows that name it. It is a temporary table, so that the database compares
 * both and memory use stays constant; `connection` must be the same for all of it.
 */
export function listing(connection: Db) {
  return {
    async fill(objects: AsyncIterable<StoredObject>): Promise<number> {
      await sql`create temp table listed (digest text primary key, size bigint not null)`.execute(connection);
      await sql`create temp table suspect (digest text primary key)`.execute(connection);
      let count = 0;
      let some: StoredObject[] = [];
      const flush = async () => {
        await sql`
          insert into listed select * from unnest(
            ${some.map(({ digest }) => digest)}::text[], ${some.map(({ size }) => size)}::bigint[])
          on conflict do nothing`.execute(connection);
        count += some.length;
        some = [];
      };
      for await (const object of objects) if (some.push(object) >= atOnce) await flush();
      await flush();
      await sql`analyze listed`.execute(connection);
      return count;
    },

    listed: () => digestsOf(connection, "listed"),
    suspects: () => digestsOf(connection, "suspect"),

    async suspect(digest: string): Promise<void> {
      await sql`insert into suspect values (${digest}) on conflict do nothing`.execute(connection);
    },

    /** Notes every object on which rows and storage disagree. */
    async compare(): Promise<void> {
      await sql`
        insert into suspect
        select digest from (${named}) as named
          left join objects using (digest) left join listed using (digest)
          where objects.size is distinct from named.size or listed.size is distinct from named.size
        union
        select digest from objects left join listed using (digest) where listed.size is distinct from objects.size
        union
        select digest from listed left join objects using (digest) where objects.digest is null
        union
        select digest from packages where digests ->> 'sha256' is distinct from digest
        on conflict do nothing`.execute(connection);
    },

    async forget(): Promise<void> {
      await sql`drop table if exists listed, suspect`.execute(connection);
    },
  };
}

const named = sql.raw(namedObjectsQuery);

async function* digestsOf(connection: Db, table: "listed" | "suspect"): AsyncGenerator<string> {
  for (let after = ""; ; ) {
    const { rows } = await sql<{ digest: string }>`
      select digest from ${sql.table(table)} where digest > ${after} order by digest limit ${atOnce}`.execute(
      connection,
    );
    for (const { digest } of rows) yield digest;
    const last = rows.at(-1);
    if (!last || rows.length < atOnce) return;
    after = last.digest;
  }
}

/** A package that has an object as its file or as its manual. */
export interface NamingPackage {
  id: number;
  repository_id: number;
  repository: string;
  technology: Technology;
  name: string;
  normalized_name: string;
  version: string;
  active: boolean;
  deleted: boolean;
  size: number;
  digests: Digests;
  /** The object is its manual, not its file. */
  asManual: boolean;
  manual_size: number | null;
}

/** The rows about one object. */
export function objectStore(db: Db | Tx) {
  return {
    /** Waits for uploads and sweeps of the same bytes; undefined when there is no row. */
    lockRow: (digest: string) =>
      db
        .selectFrom("objects")
        .select(["size", "last_put_on"])
        .where("digest", "=", digest)
        .forUpdate()
        .executeTakeFirst(),

    /** Inserts a row that blocks others until the transaction ends; false when another process was faster. */
    async addRow(digest: string, size: number, now: Date): Promise<boolean> {
      const row = await db
        .insertInto("objects")
        .values({ digest, size, last_put_on: now })
        .onConflict((conflict) => conflict.doNothing())
        .returning("digest")
        .executeTakeFirst();
      return row !== undefined;
    },

    async removeRow(digest: string): Promise<void> {
      await db.deleteFrom("objects").where("digest", "=", digest).execute();
    },

    async setSize(digest: string, size: number): Promise<void> {
      await db.updateTable("objects").set({ size }).where("digest", "=", digest).execute();
    },

    packagesNaming: (digest: string): Promise<NamingPackage[]> =>
      db
        .selectFrom("packages")
        .innerJoin("repositories", "repositories.id", "packages.repository_id")
        .select([
          "packages.id",
          "repository_id",
          "repositories.name as repository",
          "packages.technology",
          "packages.name",
          "normalized_name",
          "packages.version",
          "active",
          "packages.deleted",
          "size",
          "digests",
          "manual_size",
        ])
        .select(sql<boolean>`digest <> ${digest}`.as("asManual"))
        .where((where) => where.or([where("digest", "=", digest), where("manual_digest", "=", digest)]))
        .orderBy("packages.id")
        .execute(),

    /** Addresses at which states of repositories serve the object, by repository. */
    servedBy: (digest: string) =>
      db
        .selectFrom("published_files")
        .innerJoin("repositories", "repositories.id", "published_files.repository_id")
        .select(["repository_id", "repositories.name as repository", "repositories.technology"])
        .select(sql<string>`min(path)`.as("path"))
        .select(sql<boolean>`bool_or(size <> (select size from objects where digest = ${digest}))`.as("wrongSize"))
        .where("digest", "=", digest)
        .where("purged", "=", false)
        .groupBy(["repository_id", "repositories.name", "repositories.technology"])
        .orderBy("repository_id")
        .execute(),
  };
}
