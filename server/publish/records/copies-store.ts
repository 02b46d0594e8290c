import type { Technology } from "@packhouse/contract/technology";
import { sql } from "kysely";
import type { Db, Tx } from "../../platform/db/database.ts";
import type { CopiedRepository, Copy, Placed } from "./copy.ts";

/** A copy with what is known of it. */
export interface StoredCopy extends Copy {
  target: string;
  wanted: boolean;
  /** The published state that it holds; for an abandoned copy, the state served when it was abandoned. */
  serial: number;
  attemptedSerial: number;
  failures: number;
}

/** A place by the name of its target. */
export interface TargetPlace {
  target: string;
  place: string;
}

/** Copies of repositories outside of this server. Lock the repository's row before rows of its copies. */
export function copiesStore(db: Db | Tx) {
  return {
    /** Sets the places that a repository belongs to. Returns whether any of them needs work. */
    async plan(repositoryId: number, technology: Technology, places: readonly TargetPlace[]): Promise<boolean> {
      const targets = places.map(({ target }) => target);
      const names = places.map(({ place }) => place);
      await sql`
        update repository_copies set wanted = false, attempted_serial = 0, failures = 0, next_attempt_on = null,
          serial = coalesce((select serial from repositories where id = ${repositoryId}), serial)
        where repository_id = ${repositoryId} and wanted
          and (target, place) not in (select * from unnest(${targets}::text[], ${names}::text[]))`.execute(db);
      await sql`
        insert into repository_copies as copy (repository_id, technology, target, place, wanted)
        select ${repositoryId}::int, ${technology}::text, target, place, true
        from unnest(${targets}::text[], ${names}::text[]) as planned(target, place)
        on conflict (repository_id, target, place) do update
          set wanted = true, serial = 0, attempted_serial = 0, failures = 0, next_attempt_on = null where not copy.wanted`.execute(
        db,
      );
      return (await this.behind(repositoryId)).length > 0;
    },

    /**
     * Copies of a repository that are out of date, new places before abandoned ones. Given a time, also those due for
     * cleanup by then.
     */
    async behind(repositoryId: number, now: Date | null = null): Promise<StoredCopy[]> {
      const { rows } = await sql<StoredCopy>`
        select copy.id, repository_id as "repositoryId", copy.technology, target, place, wanted, copy.serial,
          attempted_serial as "attemptedSerial", failures
        from repository_copies as copy left join repositories on repositories.id = repository_id
        where repository_id = ${repositoryId} and (not wanted or copy.serial < rendered_serial
          or failures = 0 and next_attempt_on <= ${now}::timestamptz)
        order by wanted desc, copy.id`.execute(db);
      return rows;
    },

    /** What the places of a repository depend on; undefined if it is gone. */
    placed: (repositoryId: number): Promise<Placed | undefined> =>
      db.selectFrom("repositories").select(placedColumns).where("id", "=", repositoryId).executeTakeFirst(),

    /** Repositories that may have to be copied, or are. */
    allPlaced: (): Promise<Placed[]> =>
      db
        .selectFrom("repositories")
        .select(placedColumns)
        .where("rendered_serial", ">", 0)
        .where(sql<boolean>`(published and not deleted or id in (select repository_id from repository_copies))`)
        .execute(),

    /** Copies of repositories that are gone. */
    async orphaned(): Promise<number[]> {
      const rows = await db
        .selectFrom("repository_copies")
        .select("repository_id")
        .distinct()
        .where(sql<boolean>`not exists (select from repositories where repositories.id = repository_id)`)
        .execute();
      return rows.map((row) => row.repository_id);
    },

    repository: (id: number): Promise<CopiedRepository | undefined> =>
      db
        .selectFrom("repositories")
        .select([
          "id",
          "name",
          "technology",
          "rendered_serial as serial",
          "hash_method as hashMethod",
          "publication_uri as publicationUri",
        ])
        .where("id", "=", id)
        .executeTakeFirst(),

    /** Whether a place belongs to a copy of another repository: the first one wanted there has it. */
    async isTaken({ id, target, place }: StoredCopy): Promise<boolean> {
      const row = await db
        .selectFrom("repository_copies")
        .select("id")
        .where("target", "=", target)
        .where("place", "=", place)
        .where("wanted", "=", true)
        .orderBy("id")
        .executeTakeFirst();
      return row !== undefined && row.id !== id;
    },

    /** With the time when the place is due for cleanup, which is not a publication. */
    async markDelivered(copy: StoredCopy, serial: number, attempt: Date, tidyOn: Date | null): Promise<void> {
      const { id, repositoryId } = copy;
      if (copy.serial < serial || copy.failures > 0)
        await sql`
          update repositories set last_publication_on = ${attempt}, last_publication_successful = not exists (
            select from repository_copies where repository_id = ${repositoryId} and id <> ${id} and wanted and failures > 0)
          where id = ${repositoryId}`.execute(db);
      await db
        .updateTable("repository_copies")
        .set({ serial, attempted_serial: serial, failures: 0, next_attempt_on: tidyOn })
        .where("id", "=", id)
        .where("wanted", "=", true) // it may have been abandoned since
        .execute();
    },

    /** Returns whether there is something to clean up, which is due from now on. */
    async tidySoon(repositoryId: number, now: Date): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable("repository_copies")
        .set({ next_attempt_on: now })
        .where("repository_id", "=", repositoryId)
        .where("wanted", "=", true)
        .where("failures", "=", 0)
        .where("next_attempt_on", "is not", null)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    /** The place is empty. Earlier failures are resolved, and a repository with no other copy is published. */
    async markWithdrawn({ id, repositoryId, failures }: StoredCopy): Promise<void> {
      // Even when nothing changes: waiting requests are notified of every update of this row.
      await sql`
        update repositories set last_publication_successful = last_publication_successful
          or case when published and not deleted
            then serial = rendered_serial and not exists (
              select from repository_copies where repository_id = repositories.id and wanted)
            else ${failures}::int > 0 end
        where id = ${repositoryId}`.execute(db);
      // Unless it is wanted again.
      await db.deleteFrom("repository_copies").where("id", "=", id).where("wanted", "=", false).execute();
    },

    /**
     * Returns whether to enqueue an attempt for `nextAttempt`: not if one is already scheduled. Only scheduled attempts
     * count as consecutive failures, so that many concurrent changes do not delay the next attempt for long. Failing to
     * empty an old place does not affect a repository that is public elsewhere.
     */
    async markFailed({ id, repositoryId, wanted }: StoredCopy, serial: number, attempt: Date, nextAttempt: Date) {
      await sql`
        update repositories set
          last_publication_on = case when ${wanted}::boolean or not (published and not deleted) then ${attempt}::timestamptz
            else last_publication_on end,
          last_publication_successful = last_publication_successful and not ${wanted}::boolean and published and not deleted
        where id = ${repositoryId}`.execute(db);
      const { rows } = await sql<{ enqueue: boolean }>`
        update repository_copies as copy set attempted_serial = ${serial}, failures = copy.failures + before.due::int,
          next_attempt_on = case when before.due then ${nextAttempt}::timestamptz else copy.next_attempt_on end
        from (select id, failures = 0 or next_attempt_on <= ${attempt}::timestamptz as due
          from repository_copies where id = ${id}) as before
        where copy.id = before.id and copy.wanted = ${wanted}
        returning before.due as enqueue`.execute(db);
      return rows[0]?.enqueue ?? false;
    },
  };
}

const placedColumns = [
  "id",
  "name",
  "technology",
  "server_address",
  "published",
  "deleted",
  "requires_authentication",
] as const;

/** Whether copies of a row of `repositories` still have to be written or emptied. */
export const copiesUnderWay = sql<boolean>`exists (
  select from repository_copies as copy where copy.repository_id = repositories.id
    and (wanted and copy.serial < repositories.rendered_serial or not wanted and failures = 0))`;
