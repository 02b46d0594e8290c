import type { Technology } from "@packhouse/contract/technology";
import { type RawBuilder, sql } from "kysely";
import type { Db, Tx } from "../db/database.ts";
import type { RepositoryRow } from "../db/schema.ts";
import type { Block, IndexLayout, PublicFile, PublicPackage } from "./index-layout.ts";

/** What a render needs to know of its repository. */
export type RenderedRow = Pick<
  RepositoryRow,
  "id" | "technology" | "hash_method" | "published" | "deleted" | "serial" | "rendered_serial"
>;

/** A part as it is stored, with the files that it names. */
export interface StoredPart {
  key: string;
  content: unknown;
  files: readonly PublicFile[];
}

/** What the repository is for those who download from it. */
export interface PublishedRepository {
  id: number;
  name: string;
  technology: Technology;
  serial: number;
  requiresAuthentication: boolean;
}

export interface PublishedFile {
  digest: string;
  size: number;
  metadataDigest: string | null;
  purged: boolean;
}

/** Values in a statement are limited in number; arrays are not. Their bytes are, by memory. */
const blocksAtOnce = 200;

export function publicationStore(db: Db | Tx) {
  return {
    /** Raises the serial; the row stays locked, so changes of one repository come one after the other. */
    async raiseSerial(repositoryId: number): Promise<number | undefined> {
      const row = await db
        .updateTable("repositories")
        .set({ serial: sql`serial + 1` })
        .where("id", "=", repositoryId)
        .returning("serial")
        .executeTakeFirst();
      return row?.serial;
    },

    async noteChange(repositoryId: number, serial: number, names: readonly string[] | null): Promise<void> {
      await db
        .insertInto("index_changes")
        .values({ repository_id: repositoryId, serial, names: names && [...names] })
        .execute();
    },

    serials: (repositoryIds: readonly number[]) =>
      db
        .selectFrom("repositories")
        .select(["id", "serial", "rendered_serial"])
        .where("id", "in", repositoryIds)
        .execute(),

    /** Repositories whose render was lost, such as by a crash between two attempts. */
    behind: () =>
      db.selectFrom("repositories").select("id").where("serial", ">", sql<number>`rendered_serial`).execute(),

    rendered: (repositoryId: number): Promise<RenderedRow | undefined> =>
      db
        .selectFrom("repositories")
        .select(["id", "technology", "hash_method", "published", "deleted", "serial", "rendered_serial"])
        .where("id", "=", repositoryId)
        .executeTakeFirst(),

    /** The names that changed and are not rendered yet, or everything. */
    async changed(repositoryId: number): Promise<Set<string> | "everything"> {
      const rows = await db
        .selectFrom("index_changes")
        .select("names")
        .where("repository_id", "=", repositoryId)
        .execute();
      return rows.some(({ names }) => names === null)
        ? "everything"
        : new Set(rows.flatMap(({ names }) => names ?? []));
    },

    async forgetChanges(repositoryId: number, serial: number): Promise<void> {
      await db
        .deleteFrom("index_changes")
        .where("repository_id", "=", repositoryId)
        .where("serial", "<=", serial)
        .execute();
    },

    /** Keys of the parts that the public packages make up, each with the number of packages in it. */
    async packageKeys(repositoryId: number, layout: IndexLayout): Promise<Map<string, number>> {
      const key = keyColumn(layout);
      const rows = await db
        .selectFrom("packages")
        .select([key.as("key"), sql<number>`count(*)`.as("count")])
        .where("repository_id", "=", repositoryId)
        .where("active", "=", true)
        .where("deleted", "=", false)
        .groupBy(key)
        .orderBy("key")
        .execute();
      return new Map(rows.map(({ key, count }) => [key, count]));
    },

    /** The public packages of some parts, by part; sorted by name and from the oldest version to the newest. */
    async packagesOf(
      repositoryId: number,
      layout: IndexLayout,
      keys: readonly string[],
    ): Promise<Map<string, PublicPackage[]>> {
      // All names that begin with the key lie between it and the key followed by the last character there is.
      const { rows } = await sql<PublicPackage & { key: string }>`
        select part.key, p.name, p.normalized_name, p.version, p.kind, p.file_name, p.digest, p.digests, p.size,
          p.license, p.metadata, p.uploaded_on
        from unnest(${keys}::text[]) as part(key)
        join packages p on p.repository_id = ${repositoryId} and p.active and not p.deleted
          and p.normalized_name >= part.key and ${
            layout.prefixLength === undefined
              ? sql`p.normalized_name <= part.key`
              : sql`p.normalized_name < part.key || chr(1114111) and left(p.normalized_name, ${layout.prefixLength}) = part.key`
          }
        order by p.normalized_name, p.version_order, p.id`.execute(db);
      return Map.groupBy(rows, ({ key }) => key);
    },

    currentKeys: async (repositoryId: number): Promise<string[]> => {
      const rows = await db
        .selectFrom("index_parts")
        .select("key")
        .where("repository_id", "=", repositoryId)
        .where("to_serial", "is", null)
        .orderBy("key")
        .execute();
      return rows.map(({ key }) => key);
    },

    async currentContents(repositoryId: number, keys: readonly string[]): Promise<Map<string, unknown>> {
      const rows = await db
        .selectFrom("index_parts")
        .select(["key", "content"])
        .where("repository_id", "=", repositoryId)
        .where("to_serial", "is", null)
        .where(sql<boolean>`key = any(${keys}::text[])`)
        .execute();
      return new Map(rows.map(({ key, content }) => [key, content]));
    },

    async insertBlocks(blocks: readonly Block[]): Promise<void> {
      for (let start = 0; start < blocks.length; start += blocksAtOnce) {
        const some = blocks.slice(start, start + blocksAtOnce);
        await sql`
          insert into index_blocks (digest, bytes)
          select * from unnest(${some.map(({ digest }) => digest)}::text[], ${some.map(({ bytes }) => bytes)}::bytea[])
          on conflict do nothing`.execute(db);
      }
    },

    /** Ends parts as of a serial. */
    async closeParts(repositoryId: number, keys: readonly string[], serial: number): Promise<void> {
      await sql`
        update index_parts set to_serial = ${serial}
        where repository_id = ${repositoryId} and key = any(${keys}::text[]) and to_serial is null`.execute(db);
    },

    async insertParts(
      repositoryId: number,
      parts: readonly Pick<StoredPart, "key" | "content">[],
      serial: number,
    ): Promise<void> {
      await sql`
        insert into index_parts (repository_id, key, from_serial, content)
        select ${repositoryId}, key, ${serial}, content
        from unnest(${parts.map(({ key }) => key)}::text[], ${parts.map(({ content }) => JSON.stringify(content))}::jsonb[])
          as part(key, content)`.execute(db);
    },

    /** Makes the files of these parts the ones that are given: ends those that are gone, adds those that are new. */
    async replaceFiles(
      repositoryId: number,
      keys: readonly string[],
      parts: readonly StoredPart[],
      serial: number,
      at: Date,
    ): Promise<void> {
      const files = parts.flatMap(({ key, files }) => files.map((file) => ({ key, ...file })));
      const wanted = sql`unnest(${files.map((it) => it.key)}::text[], ${files.map((it) => it.path)}::text[],
        ${files.map((it) => it.digest)}::text[], ${files.map((it) => it.size)}::bigint[],
        ${files.map((it) => it.metadataDigest)}::text[]) as wanted(part, path, digest, size, metadata_digest)`;
      await sql`
        update published_files as file set to_serial = ${serial}, withdrawn_on = ${at}
        where repository_id = ${repositoryId} and part = any(${keys}::text[]) and to_serial is null
          and not exists (
            select from ${wanted}
            where wanted.path = file.path and wanted.digest = file.digest
              and wanted.metadata_digest is not distinct from file.metadata_digest)`.execute(db);
      await sql`
        insert into published_files (repository_id, part, path, digest, size, metadata_digest, from_serial)
        select ${repositoryId}, part, path, digest, size, metadata_digest, ${serial} from ${wanted}
        on conflict (repository_id, path) where to_serial is null do nothing`.execute(db);
    },

    /** From now on readers are served this serial. */
    async movePointer(repositoryId: number, serial: number, attempt: Date | undefined): Promise<void> {
      await db
        .updateTable("repositories")
        .set({
          rendered_serial: serial,
          ...(attempt ? { last_publication_on: attempt, last_publication_successful: true } : {}),
        })
        .where("id", "=", repositoryId)
        .execute();
    },

    async markFailed(repositoryId: number, attempt: Date): Promise<void> {
      await db
        .updateTable("repositories")
        .set({ last_publication_on: attempt, last_publication_successful: false })
        .where("id", "=", repositoryId)
        .execute();
    },

    /** A repository that clients may download from, by its name. */
    async published(name: string): Promise<PublishedRepository | undefined> {
      const row = await db
        .selectFrom("repositories")
        .select(["id", "name", "technology", "rendered_serial", "requires_authentication"])
        .where("name", "=", name)
        .where("published", "=", true)
        .where("deleted", "=", false)
        .executeTakeFirst();
      return (
        row && {
          id: row.id,
          name: row.name,
          technology: row.technology,
          serial: row.rendered_serial,
          requiresAuthentication: row.requires_authentication,
        }
      );
    },

    /** All parts that hold at a serial, by key. */
    partsAt: (repositoryId: number, serial: number) =>
      db
        .selectFrom("index_parts")
        .select(["key", "content"])
        .where("repository_id", "=", repositoryId)
        .where(holdsAt(serial))
        .orderBy("key")
        .execute(),

    async partAt(repositoryId: number, key: string, serial: number): Promise<unknown> {
      const row = await db
        .selectFrom("index_parts")
        .select("content")
        .where("repository_id", "=", repositoryId)
        .where("key", "=", key)
        .where(holdsAt(serial))
        .executeTakeFirst();
      return row?.content;
    },

    /**
     * The file at an address: the one that the serial names, else the last one there that was withdrawn after `since`.
     * With a digest only that content counts.
     */
    async file(
      { id, serial }: Pick<PublishedRepository, "id" | "serial">,
      path: string,
      since: Date,
      digest?: string,
    ): Promise<PublishedFile | undefined> {
      let query = db
        .selectFrom("published_files")
        .select(["digest", "size", "metadata_digest", "purged"])
        .where("repository_id", "=", id)
        .where("path", "=", path)
        .where((where) => where.or([holdsAt(serial), where("withdrawn_on", ">", since)]));
      if (digest !== undefined) query = query.where("digest", "=", digest);
      const row = await query.orderBy(holdsAt(serial), "desc").orderBy("id", "desc").executeTakeFirst();
      return row && { digest: row.digest, size: row.size, metadataDigest: row.metadata_digest, purged: row.purged };
    },

    async blocks(digests: readonly string[]): Promise<Map<string, Buffer>> {
      const rows = await db
        .selectFrom("index_blocks")
        .selectAll()
        .where(sql<boolean>`digest = any(${digests}::text[])`)
        .execute();
      return new Map(rows.map(({ digest, bytes }) => [digest, bytes]));
    },
  };
}

const keyColumn = ({ prefixLength }: IndexLayout): RawBuilder<string> =>
  prefixLength === undefined
    ? sql<string>`normalized_name`
    : sql<string>`left(normalized_name, ${sql.lit(prefixLength)})`;

const holdsAt = (serial: number) =>
  sql<boolean>`(from_serial <= ${serial} and (to_serial is null or to_serial > ${serial}))`;
