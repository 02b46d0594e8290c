import { sql } from "kysely";
import type { Db, Tx } from "../../platform/db/database.ts";

const atOnce = 1000;

/** What is compared with a fresh render. */
export function indexStore(db: Db | Tx) {
  return {
    repositories: () =>
      db
        .selectFrom("repositories")
        .select(["id as repository_id", "name as repository", "technology"])
        .orderBy("id")
        .execute(),

    /** Missing blocks that a part or a file of any state names. A state writes both in one transaction. */
    async missingBlocks(): Promise<string[]> {
      const { rows } = await sql<{ digest: string }>`
        select digest from (
          select jsonb_path_query(content, '$.**.digest') #>> '{}' as digest from index_parts
          union select jsonb_path_query(content, '$.**.packed') #>> '{}' from index_parts
          union select metadata_digest from published_files where metadata_digest is not null and not purged
        ) as named
        where not exists (select from index_blocks where index_blocks.digest = named.digest)
        order by digest`.execute(db);
      return rows.map(({ digest }) => digest);
    },

    /** Blocks whose bytes do not match their digest; the database reads them, not this process. */
    async damagedBlocks(): Promise<string[]> {
      const { rows } = await sql<{ digest: string }>`
        select digest from index_blocks where encode(sha256(bytes), 'hex') <> digest order by digest`.execute(db);
      return rows.map(({ digest }) => digest);
    },

    /** The current files of some parts, by address. */
    async filesOf(repositoryId: number, keys: readonly string[]): Promise<Map<string, NamedFile>> {
      const rows = await db
        .selectFrom("published_files")
        .select(["path", "digest", "metadata_digest as metadataDigest"])
        .where("repository_id", "=", repositoryId)
        .where("to_serial", "is", null)
        .where("purged", "=", false)
        .where(sql<boolean>`part = any(${keys}::text[])`)
        .execute();
      return new Map(rows.map(({ path, ...file }) => [path, file]));
    },

    /** Current files of parts that are not current; only a sample when there are many. */
    async strayFiles(repositoryId: number): Promise<string[]> {
      const rows = await db
        .selectFrom("published_files as file")
        .select("path")
        .where("repository_id", "=", repositoryId)
        .where("to_serial", "is", null)
        .where(
          sql<boolean>`not exists (
            select from index_parts as part
            where part.repository_id = ${repositoryId} and part.key = file.part and part.to_serial is null)`,
        )
        .orderBy("path")
        .limit(atOnce)
        .execute();
      return rows.map(({ path }) => path);
    },
  };
}

interface NamedFile {
  digest: string;
  metadataDigest: string | null;
}
