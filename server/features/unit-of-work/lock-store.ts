import type { Updateable } from "kysely";
import { sql } from "kysely";
import type { Db, Tx } from "../../platform/db/database.ts";
import { repositoryColumns } from "../../platform/db/repository-columns.ts";
import type { Database, RepositoryRow } from "../../platform/db/schema.ts";
import { builtOnce } from "../../platform/db/statements/built-once.ts";
import { isOneOf } from "../../platform/db/statements/is-one-of.ts";
import { isRowId } from "../../platform/db/statements/row-id.ts";

const locked = (db: Db | Tx) =>
  db
    .selectFrom("repositories")
    .select([...repositoryColumns])
    .forUpdate();
const lockedOf = builtOnce<{ id: number }, RepositoryRow>((db, value) => locked(db).where("id", "=", value("id")));

export type RepositoryColumns = Updateable<Database["repositories"]>;

/**
 * Locks of repositories, and their version. Locks are taken in the order users, repositories (by id), maintainer
 * records, packages, submissions.
 */
export function lockStore(tx: Tx) {
  return {
    lock: async (id: number): Promise<RepositoryRow | undefined> =>
      isRowId(id) ? (await lockedOf(tx, { id }))[0] : undefined,

    lockNamed: (name: string): Promise<RepositoryRow | undefined> =>
      locked(tx).where("name", "=", name).executeTakeFirst(),

    async lockAll(ids: readonly number[]): Promise<RepositoryRow[]> {
      const possible = ids.filter(isRowId);
      return possible.length === 0 ? [] : locked(tx).where(isOneOf("id", possible)).orderBy("id").execute();
    },

    /** Locks every repository, without blocking references to them. */
    async holdEvery(): Promise<void> {
      await tx.selectFrom("repositories").select("id").orderBy("id").forNoKeyUpdate().execute();
    },

    /** Changes columns, and raises the version. */
    async edit(id: number, columns: RepositoryColumns, raisesVersionBy = 1): Promise<void> {
      await tx
        .updateTable("repositories")
        .set({ ...columns, version: sql`version + ${raisesVersionBy}::integer` })
        .where("id", "=", id)
        .execute();
    },
  };
}
