import { type RawBuilder, sql } from "kysely";
import type { Db, Tx } from "../../platform/db/database.ts";
import { onePlan } from "../../platform/db/prepared/prepared-statements.ts";
import type { RepositoryRow } from "../../platform/db/schema.ts";
import type { Placed } from "../records/copy.ts";
import type { Block, IndexLayout, PublicFile, PublicPackage, RenderedAs } from "../records/index-layout.ts";
import type { Changed } from "../records/publication.ts";
import { hasActivePackage } from "../records/store.ts";

/** What a render needs to know about its repository. */
export type RenderedRow = Pick<RepositoryRow, "hash_method" | "redirect_to_source" | "serial" | "rendered_serial"> &
  Placed;

/** Which state of a repository is served. */
export type Serials = Pick<RepositoryRow, "serial" | "rendered_serial"> & {
  /** Whether it is or was published elsewhere, too. */
  has_copies: boolean;
};

/** A part as it is stored, with its files of names that changed. */
export interface StoredPart {
  key: string;
  content: unknown;
  files: readonly PublicFile[];
}

/** How the parts of an index differ from what is stored. */
export interface PartChanges {
  layout: Pick<IndexLayout, "prefixLength">;
  /** The normalized names whose files may differ. */
  changedNames: Changed;
  /** Every key that was checked. */
  keys: readonly string[];
  /** Those among them that have packages. */
  parts: readonly StoredPart[];
  /** Keys of the parts that are gone or different. */
  outdated: readonly string[];
  /** Keys of the parts that were not there before, of which no file is published yet. */
  added: readonly string[];
  /** The parts that are new or different. */
  fresh: readonly Pick<StoredPart, "key" | "content">[];
}

/** The number of parameters in a statement is limited; the size of arrays only by memory. */
const blocksAtOnce = 200;

/** What renders read from the records and write to the index. */
export function renderStore(db: Db | Tx) {
  return {
    /**
     * Raises the serial and notes the normalized names that changed.
     * The row stays locked until the end of the transaction, which serializes changes of one repository.
     */
    async noteChange(
      repositoryId: number,
      names: Changed,
      { at, raisesVersionBy = 0 }: { at: Date; raisesVersionBy?: number | undefined },
    ): Promise<void> {
      const changed = names === "everything" ? null : names;
      await sql`
        with raised as (
          update repositories set serial = serial + 1${withVersion(raisesVersionBy)}
          where id = ${repositoryId} returning id, serial)
        insert into index_changes (repository_id, serial, names, noted_on)
        select id, serial, ${changed}::text[], ${at} from raised`.execute(db);
    },

    serials: (repositoryId: number): Promise<Serials | undefined> =>
      db
        .selectFrom("repositories")
        .select(["serial", "rendered_serial"])
        .select(
          sql<boolean>`exists (select from repository_copies where repository_id = repositories.id)`.as("has_copies"),
        )
        .where("id", "=", repositoryId)
        .executeTakeFirst(),

    /** Repositories whose render was lost, such as by a crash between two attempts. */
    behind: () =>
      db.selectFrom("repositories").select("id").where("serial", ">", sql<number>`rendered_serial`).execute(),

    /** The repository with what has changed in it since it was rendered: names, or everything. */
    async waiting(repositoryId: number): Promise<(RenderedRow & { changed: Changed }) | undefined> {
      const row = await db
        .selectFrom("repositories")
        .select([
          "id",
          "name",
          "technology",
          "server_address",
          "requires_authentication",
          "hash_method",
          "redirect_to_source",
          "published",
          "deleted",
          "serial",
          "rendered_serial",
        ])
        .select(
          sql<(string[] | null)[]>`(
            select coalesce(json_agg(names), '[]') from index_changes where repository_id = repositories.id)`.as(
            "changes",
          ),
        )
        .where("id", "=", repositoryId)
        .executeTakeFirst();
      if (!row) return undefined;
      const { changes, ...repository } = row;
      const changed = changes.some((names) => names === null)
        ? "everything"
        : [...new Set(changes.flatMap((names) => names ?? []))];
      return { ...repository, changed };
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

    /**
     * The public packages of some parts, by part; sorted by name and from the oldest version to the newest. A preview
     * adds packages that are not public yet, in place of those that they replace.
     */
    async packagesOf(
      repositoryId: number,
      { layout, as }: { layout: IndexLayout; as: RenderedAs },
      keys: readonly string[],
      preview?: { added: readonly number[]; replaced: readonly number[] },
    ): Promise<Map<string, PublicPackage[]>> {
      const listed = preview
        ? sql`(active and not deleted and id <> all(${preview.replaced}::integer[]) or id = any(${preview.added}::integer[]))`
        : sql`active and not deleted`;
      // All names that begin with the key lie between it and the key followed by the last character there is.
      const inPart =
        layout.prefixLength === undefined
          ? sql`normalized_name = part.key`
          : sql`normalized_name >= part.key and normalized_name < part.key || chr(1114111)
              and left(normalized_name, ${layout.prefixLength}) = part.key`;
      // Not an array, for which the statement would be planned each time.
      const parts =
        keys.length === 1 ? sql`(values (${keys[0]})) as part(key)` : sql`unnest(${keys}::text[]) as part(key)`;
      // Lateral, so that the index is searched once per key: a plain join read all packages.
      const { rows } = await sql<PublicPackage & { key: string }>`${sql.raw(onePlan)}
        select part.key, package.* from ${parts}
        cross join lateral (
          select name, normalized_name, version, kind, target, file_name, digest,
            digests ->> ${layout.digestOf(as)} as named_digest, size, license, metadata, uploaded_on
          from packages
          where repository_id = ${repositoryId} and ${listed} and ${inPart}
          order by normalized_name, version_order, id
        ) as package`.execute(db);
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

    /** In one order everywhere: renders of other repositories may add the same ones, and wait for each other otherwise. */
    async insertBlocks(blocks: readonly Block[]): Promise<void> {
      const sorted = blocks.toSorted((a, b) => (a.digest < b.digest ? -1 : 1));
      for (let start = 0; start < sorted.length; start += blocksAtOnce) {
        const some = sorted.slice(start, start + blocksAtOnce);
        const lengths = some.map(({ bytes }) => bytes.length);
        const starts: number[] = [];
        let next = 1; // as `substr` counts
        for (const length of lengths) {
          starts.push(next);
          next += length;
        }
        // One after the other, since the driver sends one value as it is, but an array of them as text, twice as long.
        await sql`
          insert into index_blocks (digest, bytes)
          select digest, substr(${Buffer.concat(some.map(({ bytes }) => bytes))}::bytea, start, length)
          from unnest(${some.map(({ digest }) => digest)}::text[], ${starts}::integer[], ${lengths}::integer[])
            as block(digest, start, length)
          on conflict do nothing`.execute(db);
      }
    },

    /** As changes of the repository do, without blocking references to it. */
    async lockRepository(repositoryId: number): Promise<void> {
      await sql`select from repositories where id = ${repositoryId} for no key update`.execute(db);
    },

    /**
     * Ends what is no longer valid as of a serial: parts, and files that none of the checked parts has any more.
     * Returns whether files of the repository have been taken down or purged, before or while it was rendered, and whether
     * it has copies elsewhere, wanted or abandoned.
     */
    async close(
      repositoryId: number,
      { layout, changedNames, keys, outdated, added, parts }: PartChanges,
      serial: number,
      at: Date,
    ): Promise<{ removals: boolean; hasCopies: boolean }> {
      const withoutFiles = new Set(added);
      const wanted = digestsByPath(parts.filter(({ key }) => !withoutFiles.has(key)));
      const { rows } = await sql<{ removals: boolean; hasCopies: boolean }>`
        with closed as (
          update index_parts set to_serial = ${serial}
          where repository_id = ${repositoryId} and key = any(${outdated}::text[]) and to_serial is null),
        withdrawn as (
          update published_files as file set to_serial = ${serial}, withdrawn_on = ${at}
          where repository_id = ${repositoryId} and part = any(${keys}::text[]) and to_serial is null
            and (purged or ${isOf(changedNames, layout)}
              and ${wanted}::jsonb -> path is distinct from jsonb_build_array(digest, metadata_digest)))
        select exists (select from removed_files where repository_id = ${repositoryId}) as removals,
          exists (select from repository_copies where repository_id = ${repositoryId}) as "hasCopies"`.execute(db);
      return rows[0] ?? { removals: true, hasCopies: true };
    },

    /** Adds what is valid from a serial on, which clients are served from now on. */
    async open(
      repositoryId: number,
      { fresh, parts }: PartChanges,
      serial: number,
      {
        at,
        isPublic,
        endsPublication,
        raisesVersionBy,
      }: { at: Date; isPublic: boolean; endsPublication: boolean; raisesVersionBy: number },
    ): Promise<void> {
      const published = endsPublication
        ? sql`, last_publication_on = ${at}, last_publication_successful = true`
        : sql``;
      await sql`
        with opened as (
          insert into index_parts (repository_id, key, from_serial, content)
          select ${repositoryId}, key, ${serial}, content
          from unnest(${fresh.map(({ key }) => key)}::text[], ${fresh.map(({ content }) => JSON.stringify(content))}::jsonb[])
            as part(key, content)),
        named as (
          insert into published_files (repository_id, part, path, digest, size, metadata_digest, from_serial)
          select ${repositoryId}, part, path, digest, size, metadata_digest, ${serial} from ${filesOf(parts)}
          on conflict (repository_id, path) where to_serial is null do nothing),
        rendered as (delete from index_changes where repository_id = ${repositoryId} and serial <= ${serial}),
        remembered as (insert into rendered_serials values (${repositoryId}, ${serial}, ${at}, ${isPublic}))
        update repositories
        set serial = greatest(serial, ${serial}), rendered_serial = ${serial}${withVersion(raisesVersionBy)}${published}
        where id = ${repositoryId}`.execute(db);
    },

    /**
     * Files that were taken down after the render read the records. Must be called after those were added: the repository
     * is locked, so a concurrent take-down has either committed or sees these files.
     */
    async noteTakenDown(repositoryId: number, keys: readonly string[]): Promise<void> {
      await sql`
        update published_files as file set taken_down = true, purged = file.purged or removed.purged
        from removed_files as removed
        where removed.repository_id = ${repositoryId} and removed.digest = file.digest
          and file.repository_id = ${repositoryId} and part = any(${keys}::text[]) and to_serial is null
          and not ${hasActivePackage}`.execute(db);
    },

    async markPublished(repositoryId: number, attempt: Date): Promise<void> {
      await db
        .updateTable("repositories")
        .set({ last_publication_on: attempt, last_publication_successful: true })
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
  };
}

/**
 * Whether a file belongs to one of these names. Where names share a part, which is in R, the name of a file begins with
 * that of its package and an underscore; otherwise a part has the files of one name.
 */
const isOf = (names: Changed, { prefixLength }: Pick<IndexLayout, "prefixLength">): RawBuilder<unknown> =>
  names === "everything" || prefixLength === undefined
    ? sql`true`
    : sql`split_part(split_part(path, '/', -1), '_', 1) = any(${names}::text[])`;

/**
 * An object in which PostgreSQL looks up each published file. It would compare each with all rows of a table made of
 * parameters, because it expects few of them.
 */
const digestsByPath = (parts: readonly StoredPart[]): string =>
  JSON.stringify(
    Object.fromEntries(
      parts.flatMap(({ files }) => files.map((it) => [it.path, [it.digest, it.metadataDigest]] as const)),
    ),
  );

const withVersion = (raisedBy: number) => (raisedBy > 0 ? sql`, version = version + ${raisedBy}::integer` : sql``);

const keyColumn = ({ prefixLength }: IndexLayout): RawBuilder<string> =>
  prefixLength === undefined
    ? sql<string>`normalized_name`
    : sql<string>`left(normalized_name, ${sql.lit(prefixLength)})`;

function filesOf(parts: readonly StoredPart[]) {
  const files = parts.flatMap(({ key, files }) => files.map((file) => ({ key, ...file })));
  return sql`unnest(${files.map((it) => it.key)}::text[], ${files.map((it) => it.path)}::text[],
    ${files.map((it) => it.digest)}::text[], ${files.map((it) => it.size)}::bigint[],
    ${files.map((it) => it.metadataDigest)}::text[]) as wanted(part, path, digest, size, metadata_digest)`;
}
