import {
  type MirrorClash,
  type MirrorCounts,
  type MirrorSkip,
  mirrorClash,
  mirrorCounts,
  mirrorSkip,
} from "@packhouse/contract/mirrors";
import type { Technology } from "@packhouse/contract/technology";
import { sql } from "kysely";
import { z } from "zod";
import type { Db, Tx } from "../../../platform/db/database.ts";
import type { MirrorRow, RepositoryRow } from "../../../platform/db/schema.ts";
import { storedJson } from "../../../platform/db/stored-json.ts";
import { ifUnlocked } from "../../../platform/db/transactions/session-lock.ts";
import type { DeclaredMirror } from "./declaration.ts";
import { type PackageSelectors, selectors } from "./mirror.ts";

/** The validators of an upstream index, sent with the next request for it. */
export interface Validators {
  etag: string | null;
  lastModified: string | null;
}

/** A mirror and what is wanted of it. */
export interface Mirror extends Omit<MirrorRow, "packages" | "clashes" | "skipped" | "counts"> {
  packages: PackageSelectors;
  clashes: MirrorClash[];
  skipped: MirrorSkip[];
  counts: MirrorCounts | null;
}

/** The result of a run. */
export interface RunOutcome {
  ended_on: Date;
  stored: number;
  errors: string[];
  clashes: readonly MirrorClash[];
  skipped: readonly MirrorSkip[];
  counts: MirrorCounts;
}

/** The repository that mirrors fill. */
export interface MirroringRepository {
  id: number;
  name: string;
  technology: Technology;
  reserved_names: string[];
}

/** The result of the last synchronization of a repository. */
export interface Synchronization {
  started_on: Date;
  ended_on: Date | null;
  failed: boolean;
}

/** An index as it was last read, for the same selectors. */
export interface KnownIndex extends Validators {
  content: unknown;
}

const readMirror = (row: MirrorRow): Mirror => ({
  ...row,
  packages: selectors.parse(row.packages),
  clashes: z.array(mirrorClash).parse(row.clashes),
  skipped: z.array(mirrorSkip).parse(row.skipped),
  counts: mirrorCounts.nullable().parse(row.counts),
});

export function mirrors(db: Db | Tx) {
  return {
    /** Only one server at a time applies declarations, until its transaction ends. */
    async holdDeclarations(): Promise<void> {
      await sql`select pg_advisory_xact_lock(hashtext('packhouse declarations'))`.execute(db);
    },

    /** Repositories, deleted ones too, with other names than these. */
    repositoriesExcept: (names: readonly string[]): Promise<RepositoryRow[]> =>
      db
        .selectFrom("repositories")
        .selectAll()
        .where(sql<boolean>`name <> all(${names}::text[])`)
        .orderBy("id")
        .execute(),

    async ofRepository(repositoryId: number): Promise<Mirror[]> {
      const rows = await db
        .selectFrom("mirrors")
        .selectAll()
        .where("repository_id", "=", repositoryId)
        .orderBy("id")
        .execute();
      return rows.map(readMirror);
    },

    /** Sets the mirrors of a repository; those that remain keep the history of their runs. */
    async replace(
      repositoryId: number,
      declared: readonly DeclaredMirror[],
      reservedNames: readonly string[],
    ): Promise<void> {
      const names = declared.map(({ name }) => name);
      await sql`delete from mirrors where repository_id = ${repositoryId} and name <> all(${names}::text[])`.execute(
        db,
      );
      for (const { name, uri, schedule, packages, generateManuals, sharedNames } of declared) {
        await sql`
          delete from mirror_indexes using mirrors
          where mirror_id = mirrors.id and repository_id = ${repositoryId} and name = ${name} and uri <> ${uri}`.execute(
          db,
        );
        const given = {
          uri,
          schedule,
          packages: packages && storedJson(packages),
          generate_manuals: generateManuals,
          shared_names: sharedNames,
          reserved_names: [...reservedNames],
        };
        await db
          .insertInto("mirrors")
          .values({ repository_id: repositoryId, name, ...given })
          .onConflict((conflict) => conflict.columns(["repository_id", "name"]).doUpdateSet(given))
          .execute();
      }
    },

    /** Removes the mirrors of all repositories but these. */
    async removeOthers(repositoryIds: readonly number[]): Promise<void> {
      await sql`delete from mirrors where repository_id <> all(${repositoryIds}::integer[])`.execute(db);
    },

    /** Scheduled runs: each schedule of a live repository once, however many mirrors have it. */
    async schedules(): Promise<{ repository_id: number; schedule: string }[]> {
      const rows = await db
        .selectFrom("mirrors")
        .innerJoin("repositories", "repositories.id", "repository_id")
        .select(["repository_id", "schedule"])
        .where("repositories.deleted", "=", false)
        .where("schedule", "is not", null)
        .distinct()
        .execute();
      return rows.flatMap(({ repository_id, schedule }) => (schedule === null ? [] : [{ repository_id, schedule }]));
    },

    repository: (id: number): Promise<MirroringRepository | undefined> =>
      db
        .selectFrom("repositories")
        .select(["id", "name", "technology", "reserved_names"])
        .where("id", "=", id)
        .where("deleted", "=", false)
        .executeTakeFirst(),

    /** What the run before has found goes, but not whether it failed. */
    async begin(mirrorId: number, at: Date): Promise<void> {
      await db
        .updateTable("mirrors")
        .set({ started_on: at, ended_on: null, stored: 0, errors: [], skipped: "[]", counts: null })
        .where("id", "=", mirrorId)
        .execute();
    },

    async end(mirrorId: number, { clashes, skipped, counts, ...outcome }: RunOutcome): Promise<void> {
      await db
        .updateTable("mirrors")
        .set({
          ...outcome,
          failing: outcome.errors.length > 0,
          clashes: storedJson(clashes),
          skipped: storedJson(skipped),
          counts: storedJson(counts),
        })
        .where("id", "=", mirrorId)
        .execute();
    },

    /** An index as it was last read; undefined when it never was, or for other selectors. */
    index: (mirrorId: number, address: string, wanted: string): Promise<KnownIndex | undefined> =>
      db
        .selectFrom("mirror_indexes")
        .select(["etag", "last_modified as lastModified", "content"])
        .where("mirror_id", "=", mirrorId)
        .where("address", "=", address)
        .where("wanted", "=", wanted)
        .executeTakeFirst(),

    async rememberIndex(mirrorId: number, address: string, wanted: string, index: KnownIndex): Promise<void> {
      const known = {
        wanted,
        etag: index.etag,
        last_modified: index.lastModified,
        content: storedJson(index.content),
      };
      await db
        .insertInto("mirror_indexes")
        .values({ mirror_id: mirrorId, address, ...known })
        .onConflict((conflict) => conflict.columns(["mirror_id", "address"]).doUpdateSet(known))
        .execute();
    },
  };
}

/** A run that has not ended after this time was lost with its process. */
const lostAfterMs = 24 * 3600 * 1000;

/** Synchronizations of repositories, from when they are requested. */
export function synchronizations(db: Db | Tx) {
  return {
    /** False when one is requested or running already: its start time stays. */
    async request(repositoryId: number, at: Date): Promise<boolean> {
      const lost = new Date(at.getTime() - lostAfterMs);
      const row = await db
        .insertInto("synchronizations")
        .values({ repository_id: repositoryId, started_on: at, ended_on: null })
        .onConflict((conflict) =>
          conflict
            .column("repository_id")
            .doUpdateSet({ started_on: at, ended_on: null })
            .where(sql<boolean>`synchronizations.ended_on is not null or synchronizations.started_on < ${lost}`),
        )
        .returning("repository_id")
        .executeTakeFirst();
      return row !== undefined;
    },

    async end(repositoryId: number, at: Date): Promise<void> {
      await db
        .updateTable("synchronizations")
        .set({ ended_on: at })
        .where("repository_id", "=", repositoryId)
        .execute();
    },

    /** Those without a known end: running, queued, or ended with their process. */
    async unfinished(): Promise<number[]> {
      const rows = await db
        .selectFrom("synchronizations")
        .select("repository_id")
        .where("ended_on", "is", null)
        .execute();
      return rows.map(({ repository_id }) => repository_id);
    },

    last: (repositoryId: number): Promise<Synchronization | undefined> =>
      db
        .selectFrom("synchronizations")
        .select(["started_on", "ended_on"])
        .select(
          sql<boolean>`exists (
            select from mirrors where mirrors.repository_id = synchronizations.repository_id and errors <> '{}')`.as(
            "failed",
          ),
        )
        .where("repository_id", "=", repositoryId)
        .executeTakeFirst(),
  };
}

/** The first key of our advisory locks of repositories that are being synchronized; the second is the repository. */
const lockClass = 0x6d697272;

/**
 * Runs `work` unless another process, or this one, synchronizes the repository: then returns false. The lock belongs to
 * a connection: it ends with the process that holds it.
 */
export async function alone(db: Db, repositoryId: number, work: () => Promise<void>): Promise<boolean> {
  return db.connection().execute(async (connection) => {
    const done = await ifUnlocked(connection, { space: lockClass, key: repositoryId }, async () => {
      await work();
      return true;
    });
    return done ?? false;
  });
}
