import type { ListQuery } from "@packhouse/contract/list-contract";
import type { packageMaintainerList } from "@packhouse/contract/package-maintainers";
import { may } from "@packhouse/contract/permissions";
import type { RepositoryRef, UserRef } from "@packhouse/contract/references";
import { type RoleName, roleName } from "@packhouse/contract/roles";
import { type RawBuilder, type SelectQueryBuilder, sql } from "kysely";
import type { Actor } from "../../http/actor.ts";
import type { Db, Tx } from "../../platform/db/database.ts";
import type { Found } from "../../platform/db/found.ts";
import { contains, findPage, folded, type SortColumns } from "../../platform/db/page.ts";
import { repositoryRef } from "../../platform/db/repository-ref.ts";
import type { Database, PackageMaintainerRow } from "../../platform/db/schema.ts";
import { userRef } from "../../platform/db/user-ref.ts";
import type { JudgedPackageMaintainer } from "./package-maintainer.ts";

export interface PackageMaintainer extends PackageMaintainerRow, JudgedPackageMaintainer {
  user: UserRef;
  repository: RepositoryRef;
}

const columns: SortColumns<typeof packageMaintainerList> = {
  id: sql`package_maintainers.id`,
  user: sql`users.name`,
  packageName: sql`package_maintainers.package_name`,
  repository: sql`repositories.name`,
  deleted: sql`package_maintainers.deleted`,
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

type Query = SelectQueryBuilder<Database, "package_maintainers" | "users" | "repositories", object>;

const joined = (db: Db | Tx): Query =>
  db
    .selectFrom("package_maintainers")
    .innerJoin("users", "users.id", "package_maintainers.user_id")
    .innerJoin("repositories", "repositories.id", "package_maintainers.repository_id");

const select = (query: Query) =>
  query
    .selectAll("package_maintainers")
    .select([userRef("users").as("user"), repositoryRef().as("repository")])
    .select(["users.deleted as user_deleted", "repositories.deleted as repository_deleted"])
    .select(sql<RoleName>`(${sql.val(roleName.options)}::text[])[users.rank + 1]`.as("user_role"))
    .select(
      sql<number[]>`case when package_maintainers.deleted then array(
        select other.user_id from package_maintainers other
        where other.repository_id = package_maintainers.repository_id
          and other.normalized_name = package_maintainers.normalized_name and not other.deleted) else '{}' end`.as(
        "holders",
      ),
    );

export function packageMaintainers(db: Db | Tx) {
  return {
    /** A repository maintainer sees the records of his repositories, deleted ones if he asks; an administrator all. */
    find(query: ListQuery<typeof packageMaintainerList>, actor: Actor): Promise<Found<PackageMaintainer>> {
      const { technology, repository, search } = query.filters;
      const all = may("seeDeleted", actor);
      const deleted = query.filters.deleted ?? (all ? undefined : false);
      const conditions: RawBuilder<boolean>[] = [];
      if (!all)
        conditions.push(
          sql<boolean>`package_maintainers.repository_id = any(${[...actor.maintainedRepositories]}::integer[])`,
        );
      if (deleted !== undefined) conditions.push(sql<boolean>`package_maintainers.deleted = ${deleted}`);
      if (technology) conditions.push(sql<boolean>`repositories.technology = any(${technology})`);
      if (repository) conditions.push(sql<boolean>`repositories.name = any(${repository})`);
      if (search !== undefined) {
        const pattern = contains(search);
        conditions.push(
          sql<boolean>`(${folded("users.name")} like ${pattern} or ${folded("package_maintainers.package_name")} like ${pattern})`,
        );
      }
      return findPage({ tables: joined(db), conditions, query, columns, id: columns.id, select });
    },

    byId: (id: number): Promise<PackageMaintainer | undefined> =>
      select(joined(db)).where("package_maintainers.id", "=", id).executeTakeFirst(),

    /** To be run by whoever asks, alone or within a larger statement. */
    ofIds: (ids: readonly number[]) => select(joined(db)).where("package_maintainers.id", "in", ids),

    async lock(id: number): Promise<PackageMaintainer | undefined> {
      await db.selectFrom("package_maintainers").select("id").where("id", "=", id).forUpdate().execute();
      return select(joined(db)).where("package_maintainers.id", "=", id).executeTakeFirst();
    },

    /** Everybody's rows for one package, live ones first. */
    ofPackage: (repositoryId: number, normalizedName: string) =>
      db
        .selectFrom("package_maintainers")
        .select(["id", "user_id", "deleted"])
        .where("repository_id", "=", repositoryId)
        .where("normalized_name", "=", normalizedName)
        .orderBy("deleted")
        .orderBy("id")
        .execute(),

    async insert(row: {
      user_id: number;
      repository_id: number;
      package_name: string;
      normalized_name: string;
    }): Promise<number> {
      const { id } = await db.insertInto("package_maintainers").values(row).returning("id").executeTakeFirstOrThrow();
      return id;
    },

    async update(
      id: number,
      changes: {
        repository_id?: number;
        package_name?: string;
        normalized_name?: string;
        deleted?: boolean;
        deletion_id?: string | null;
      },
    ): Promise<void> {
      await db.updateTable("package_maintainers").set(changes).where("id", "=", id).execute();
    },

    async purge(id: number): Promise<void> {
      await db
        .updateTable("events")
        .set({ purged: true })
        .where("resource_type", "=", "PACKAGE_MAINTAINER")
        .where("resource_id", "=", id)
        .execute();
      await db.deleteFrom("package_maintainers").where("id", "=", id).execute();
    },
  };
}
