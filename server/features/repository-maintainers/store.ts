import type { ListQuery } from "@packhouse/contract/list-contract";
import type { RepositoryRef, UserRef } from "@packhouse/contract/references";
import type { repositoryMaintainerList } from "@packhouse/contract/repository-maintainers";
import { type RoleName, roleName } from "@packhouse/contract/roles";
import { type RawBuilder, type SelectQueryBuilder, sql } from "kysely";
import type { Db, Tx } from "../../platform/db/database.ts";
import type { Found } from "../../platform/db/found.ts";
import { contains, findPage, folded, type SortColumns } from "../../platform/db/page.ts";
import { repositoryRef } from "../../platform/db/repository-ref.ts";
import type { Database, RepositoryMaintainerRow } from "../../platform/db/schema.ts";
import { userRef } from "../../platform/db/user-ref.ts";
import type { JudgedRepositoryMaintainer } from "./repository-maintainer.ts";

export interface RepositoryMaintainer extends RepositoryMaintainerRow, JudgedRepositoryMaintainer {
  user: UserRef;
  repository: RepositoryRef;
}

const columns: SortColumns<typeof repositoryMaintainerList> = {
  id: sql`repository_maintainers.id`,
  user: sql`users.name`,
  repository: sql`repositories.name`,
  deleted: sql`repository_maintainers.deleted`,
  "user.id": sql`users.id`,
  "user.name": sql`users.name`,
  "user.login": sql`users.login`,
  "user.email": sql`users.email`,
  "repository.id": sql`repositories.id`,
  "repository.name": sql`repositories.name`,
  "repository.publicationUri": sql`repositories.publication_uri`,
  "repository.published": sql`repositories.published`,
  "repository.requiresAuthentication": sql`repositories.requires_authentication`,
  "repository.technology": sql`repositories.technology`,
  "repository.lastPublicationSuccessful": sql`repositories.last_publication_successful`,
};

type Query = SelectQueryBuilder<Database, "repository_maintainers" | "users" | "repositories", object>;

const joined = (db: Db | Tx): Query =>
  db
    .selectFrom("repository_maintainers")
    .innerJoin("users", "users.id", "repository_maintainers.user_id")
    .innerJoin("repositories", "repositories.id", "repository_maintainers.repository_id");

const select = (query: Query) =>
  query
    .selectAll("repository_maintainers")
    .select([userRef("users").as("user"), repositoryRef().as("repository")])
    .select(["users.deleted as user_deleted", "repositories.deleted as repository_deleted"])
    .select(sql<RoleName>`(${sql.val(roleName.options)}::text[])[users.rank + 1]`.as("user_role"))
    .select(
      sql<boolean>`(repository_maintainers.deleted and exists (
        select from repository_maintainers other
        where other.repository_id = repository_maintainers.repository_id
          and other.user_id = repository_maintainers.user_id and not other.deleted))`.as("is_duplicate"),
    );

export function repositoryMaintainers(db: Db | Tx) {
  return {
    find(query: ListQuery<typeof repositoryMaintainerList>): Promise<Found<RepositoryMaintainer>> {
      const { deleted, resourceTechnology, search } = query.filters;
      const conditions: RawBuilder<boolean>[] = [];
      if (deleted !== undefined) conditions.push(sql<boolean>`repository_maintainers.deleted = ${deleted}`);
      if (resourceTechnology) conditions.push(sql<boolean>`repositories.technology = any(${resourceTechnology})`);
      if (search !== undefined) {
        const pattern = contains(search);
        conditions.push(
          sql<boolean>`(${folded("users.name")} like ${pattern} or ${folded("repositories.name")} like ${pattern})`,
        );
      }
      return findPage({ tables: joined(db), conditions, query, columns, id: columns.id, select });
    },

    byId: (id: number): Promise<RepositoryMaintainer | undefined> =>
      select(joined(db)).where("repository_maintainers.id", "=", id).executeTakeFirst(),

    /** To be run by whoever asks, alone or within a larger statement. */
    ofIds: (ids: readonly number[]) => select(joined(db)).where("repository_maintainers.id", "in", ids),

    async lock(id: number): Promise<RepositoryMaintainer | undefined> {
      await db.selectFrom("repository_maintainers").select("id").where("id", "=", id).forUpdate().execute();
      return select(joined(db)).where("repository_maintainers.id", "=", id).executeTakeFirst();
    },

    /** The row of this person for this repository, the live one before deleted ones. */
    ofPerson: (userId: number, repositoryId: number) =>
      db
        .selectFrom("repository_maintainers")
        .select(["id", "deleted"])
        .where("user_id", "=", userId)
        .where("repository_id", "=", repositoryId)
        .orderBy("deleted")
        .orderBy("id")
        .executeTakeFirst(),

    async insert(userId: number, repositoryId: number): Promise<number> {
      const { id } = await db
        .insertInto("repository_maintainers")
        .values({ user_id: userId, repository_id: repositoryId })
        .returning("id")
        .executeTakeFirstOrThrow();
      return id;
    },

    async update(
      id: number,
      changes: { user_id?: number; repository_id?: number; deleted?: boolean; deletion_id?: string | null },
    ): Promise<void> {
      await db.updateTable("repository_maintainers").set(changes).where("id", "=", id).execute();
    },

    async purge(id: number): Promise<void> {
      await db
        .updateTable("events")
        .set({ purged: true })
        .where("resource_type", "=", "REPOSITORY_MAINTAINER")
        .where("resource_id", "=", id)
        .execute();
      await db.deleteFrom("repository_maintainers").where("id", "=", id).execute();
    },
  };
}
