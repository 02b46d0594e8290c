import type { Updateable } from "kysely";
import { sql } from "kysely";
import type { Tx } from "../../platform/db/database.ts";
import { repositoryColumns } from "../../platform/db/repository-columns.ts";
import type { Database, RepositoryRow } from "../../platform/db/schema.ts";
import { isOneOf } from "../../platform/db/statements/is-one-of.ts";
import { isRowId } from "../../platform/db/statements/row-id.ts";

export type RepositoryColumns = Updateable<Database["repositories"]>;

/**
 * Locks of repositories, and their version. Locks are taken in the order users, repositories (by id), maintainer
 * records, packages, submissions.
 */
export function lockStore(tx: Tx) {
  const locked = () =>
    tx
      .selectFrom("repositories")
      .select([...repositoryColumns])
      .forUpdate();

  return {
    lock: async (id: number): Promise<RepositoryRow | undefined> =>
      isRowId(id) ? locked().where("id", "=", id).executeTakeFirst() : undefined,

    lockNamed: (name: string): Promise<RepositoryRow | undefined> =>
      locked().where("name", "=", name).executeTakeFirst(),

    async lockAll(ids: readonly number[]): Promise<RepositoryRow[]> {
      const possible = ids.filter(isRowId);
      return possible.length === 0 ? [] : locked().where(isOneOf("id", possible)).orderBy("id").execute();
    },

    /** Locks every repository, without blocking references to them. */
    async holdEvery(): Promise<void> {
      await tx.selectFrom("repositories").select("id").orderBy("id").forNoKeyUpdate().execute();
    },

    /** Changes columns, and raises the version. */
    async edit(id: number, columns: RepositoryColumns): Promise<void> {
      await tx
        .updateTable("repositories")
        .set({ ...columns, version: sql`version + 1` })
        .where("id", "=", id)
        .execute();
    },
  };
}
