import type { Technology } from "@packhouse/contract/technology";
import { type RawBuilder, sql } from "kysely";
import type { Db, Tx } from "../../platform/db/database.ts";
import { builtOnce, type Place } from "../../platform/db/statements/built-once.ts";

/** A repository as seen by clients that download from it. */
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

/**
 * How long a file is served after the index stopped naming it: as long as R uses its cached index
 * (`R_AVAILABLE_PACKAGES_CACHE_CONTROL_MAX_AGE`), so that no client is sent to a missing file.
 */
export const graceMs = 3_600_000;

/** A file that a serial names. */
export interface ContentFile {
  path: string;
  digest: string;
  size: number;
  metadataDigest: string | null;
}

/** A repository that clients may download from, by its name. */
const publishedNamed = builtOnce<{ name: string }, PublishedRepository>((db, value) =>
  db
    .selectFrom("repositories")
    .select([
      "id",
      "name",
      "technology",
      "rendered_serial as serial",
      "requires_authentication as requiresAuthentication",
    ])
    .where("name", "=", value("name"))
    .where("published", "=", true)
    .where("deleted", "=", false),
);

/** An address of a file below that of a repository, as of a serial. */
interface FileAddress extends Pick<PublishedRepository, "id" | "serial" | "requiresAuthentication"> {
  path: string;
}

interface FileOfDigest extends FileAddress {
  digest: string;
}

/** The files at an address, also those of other serials. */
const filesAt = (db: Db | Tx, value: Place<FileAddress>) =>
  db
    .selectFrom("published_files")
    .innerJoin("repositories", "repositories.id", "repository_id")
    .select(["digest", "size", "metadata_digest as metadataDigest", "purged"])
    .where("repository_id", "=", value("id"))
    .where("path", "=", value("path"))
    .where("published", "=", true)
    .where("repositories.deleted", "=", false)
    .where(sql<boolean>`(not requires_authentication or ${value("requiresAuthentication")})`);

const filesThen = (db: Db | Tx, value: Place<FileAddress>) => filesAt(db, value).where(holdsAt(value("serial")));

/** The last one that the serial names comes first. */
const filesNow = (db: Db | Tx, value: Place<FileAddress>) =>
  filesAt(db, value)
    .select(["withdrawn_on", "taken_down", "closed"])
    .select([sql<boolean>`to_serial is null`.as("current"), holdsAt(value("serial")).as("holds")])
    .orderBy(holdsAt(value("serial")), "desc")
    .orderBy("published_files.id", "desc");

const pastFiles = builtOnce(filesThen);
const pastFilesOfDigest = builtOnce((db, value: Place<FileOfDigest>) =>
  filesThen(db, value).where("digest", "=", value("digest")),
);
const liveFiles = builtOnce(filesNow);
const liveFilesOfDigest = builtOnce((db, value: Place<FileOfDigest>) =>
  filesNow(db, value).where("digest", "=", value("digest")),
);

/** The served content, as of a serial. */
export function publicationStore(db: Db | Tx) {
  const contentFiles = (repositoryId: number) =>
    db
      .selectFrom("published_files")
      .select(["path", "digest", "size", "metadata_digest as metadataDigest"])
      .where("repository_id", "=", repositoryId)
      .where("purged", "=", false);

  /** For running renders: they have read that these files are public, and write it later. */
  const noteRemoval = async (removed: RawBuilder<unknown>) => {
    await sql`
      insert into removed_files (repository_id, digest, purged) ${removed}
      on conflict (repository_id, digest) do update set purged = removed_files.purged or excluded.purged`.execute(db);
  };

  return {
    published: async (name: string): Promise<PublishedRepository | undefined> =>
      (await publishedNamed(db, { name }))[0],

    /** The parts valid at a serial, by key; with `since` only those not valid at that serial. */
    partsAt(repositoryId: number, serial: number, since = 0) {
      return db
        .selectFrom("index_parts")
        .select(["key", "content"])
        .where("repository_id", "=", repositoryId)
        .where("from_serial", ">", since)
        .where(holdsAt(serial))
        .execute();
    },

    /** Keys of parts that were valid at one serial and ended since, up to another one. */
    async keysEnded(repositoryId: number, since: number, serial: number): Promise<string[]> {
      const rows = await db
        .selectFrom("index_parts")
        .select("key")
        .where("repository_id", "=", repositoryId)
        .where("to_serial", ">", since)
        .where("to_serial", "<=", serial)
        .execute();
      return rows.map(({ key }) => key);
    },

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
     * The file at an address of a past state. With a digest only that content counts. Also undefined if the repository
     * is no longer published, or no longer public, which other replicas may not know yet.
     */
    async pastFile(repository: PublishedRepository, path: string, digest?: string): Promise<PublishedFile | undefined> {
      const address = { ...repository, path };
      const found = digest === undefined ? pastFiles(db, address) : pastFilesOfDigest(db, { ...address, digest });
      return (await found)[0];
    },

    /**
     * The file at a live address: the one that the serial names, else the last one there, if publication replaced it
     * after `since`. A file that was taken down is served only until the index stops naming it or the call that took it
     * down has returned, whichever comes first; purged files are always reported as such.
     */
    async liveFile(
      repository: PublishedRepository,
      path: string,
      since: Date,
      digest?: string,
    ): Promise<PublishedFile | undefined> {
      const address = { ...repository, path };
      const found = digest === undefined ? liveFiles(db, address) : liveFilesOfDigest(db, { ...address, digest });
      const [row] = await found;
      if (!row || row.purged) return row;
      const inGrace = row.withdrawn_on !== null && row.withdrawn_on > since;
      const served = row.taken_down ? row.holds && row.current && !row.closed : row.holds || inGrace;
      return served ? row : undefined;
    },

    /**
     * Takes the file of a package that is no longer active off its live addresses, with everything that was served
     * there before: taking it down must not bring back the file that it had replaced. Past states keep it.
     */
    async takeDown(repositoryId: number, digest: string): Promise<void> {
      const taken = sql`
        update published_files as file set taken_down = true
        where repository_id = ${repositoryId} and not ${hasActivePackage}
          and path = any(array(
            select path from (select repository_id, path from published_files where digest = ${digest} offset 0) as same
            where repository_id = ${repositoryId}))`;
      await Promise.all([noteRemoval(sql`select ${repositoryId}::integer, ${digest}::text, false`), taken.execute(db)]);
    },

    /** The same for everything in a repository. */
    async takeAllDown(repositoryId: number): Promise<void> {
      await noteRemoval(sql`select distinct repository_id, digest, false from packages
        where repository_id = ${repositoryId}`);
      await db
        .updateTable("published_files")
        .set({ taken_down: true })
        .where("repository_id", "=", repositoryId)
        .execute();
    },

    /** A package is active again: its taken-down file is served as before. */
    async putBack(repositoryId: number, digest: string): Promise<void> {
      await db
        .updateTable("published_files")
        .set({ taken_down: false, closed: false })
        .where("repository_id", "=", repositoryId)
        .where("digest", "=", digest)
        .execute();
    },

    /** Closes files that were taken down but are still named by an overdue index. */
    async closeTakenDown(repositoryIds: readonly number[]): Promise<void> {
      await sql`
        update published_files as file set taken_down = true, closed = true
        from removed_files as removed
        where removed.repository_id = file.repository_id and removed.digest = file.digest
          and file.repository_id = any(${repositoryIds}::integer[]) and to_serial is null and not ${hasActivePackage}`.execute(
        db,
      );
    },

    /** Every file that the serial names, except purged ones. */
    filesAt: (repositoryId: number, serial: number): Promise<ContentFile[]> =>
      contentFiles(repositoryId).where(holdsAt(serial)).orderBy("path").execute(),

    /** Files withdrawn after `since` whose address no other file has now. */
    filesWithdrawn: (repositoryId: number, serial: number, since: Date): Promise<ContentFile[]> =>
      contentFiles(repositoryId)
        .distinctOn("path")
        .where("taken_down", "=", false)
        .where("to_serial", "<=", serial)
        .where("withdrawn_on", ">", since)
        .where(
          sql<boolean>`not exists (
            select from published_files as now where now.repository_id = published_files.repository_id
              and now.path = published_files.path and (now.to_serial is null or now.to_serial > ${serial}))`,
        )
        .orderBy("path")
        .orderBy("id", "desc")
        .execute(),

    /**
     * What an R index says about the public packages with some files; sorted by name and from the oldest version to the
     * newest.
     */
    rPackagesOf: (repositoryId: number, digests: readonly string[]) =>
      db
        .selectFrom("packages")
        .select(["name", "version", "license", "metadata"])
        .select(sql<string>`digests ->> 'md5'`.as("named_digest"))
        .where("repository_id", "=", repositoryId)
        .where("active", "=", true)
        .where("deleted", "=", false)
        .where(sql<boolean>`digest = any(${digests}::text[])`)
        .orderBy("normalized_name")
        .orderBy("version_order")
        .orderBy("id")
        .execute(),

    /** No state of the repository serves these bytes any more, unless another package has them too. */
    async purgeFile(repositoryId: number, digest: string): Promise<void> {
      await noteRemoval(sql`select ${repositoryId}::integer, ${digest}::text, true`);
      await db
        .updateTable("published_files as file")
        .set({ purged: true })
        .where("repository_id", "=", repositoryId)
        .where("digest", "=", digest)
        .where(sql<boolean>`not ${hasActivePackage}`)
        .execute();
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

/**
 * Whether a package with the bytes of `file` is public. `offset 0` has PostgreSQL find them by the digest: until it has
 * statistics of a repository that is being filled, it would compare each file with each package.
 */
export const hasActivePackage = sql<boolean>`file.repository_id in (
  select packages.repository_id from packages
  where packages.digest = file.digest and active and not packages.deleted offset 0)`;

const holdsAt = (serial: number | RawBuilder<number>) =>
  sql<boolean>`(from_serial <= ${serial} and (to_serial is null or to_serial > ${serial}))`;
