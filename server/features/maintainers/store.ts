import type { ListQuery } from "@packhouse/contract/list-contract";
import type { packageMaintainerList, repositoryMaintainerList } from "@packhouse/contract/maintainers";
import { may } from "@packhouse/contract/permissions";
import { type RoleName, roleName } from "@packhouse/contract/roles";
import { type Expression, type SelectQueryBuilder, sql } from "kysely";
import type { Actor } from "../../http/actor.ts";
import type { Db, Tx } from "../../platform/db/database.ts";
import type { Found } from "../../platform/db/pages/found.ts";
import { type FilterConditions, matches, pagedList } from "../../platform/db/pages/page.ts";
import { repositoryRef, repositorySorts } from "../../platform/db/pages/repository-ref.ts";
import type { SortColumns } from "../../platform/db/pages/sort-columns.ts";
import { userRef, userSorts } from "../../platform/db/pages/user-ref.ts";
import type { Database } from "../../platform/db/schema.ts";
import { isOneOf } from "../../platform/db/statements/is-one-of.ts";
import type { Maintainer, Place } from "./maintainer.ts";

export interface PackageMaintainer extends Maintainer {
  package_name: string;
  normalized_name: string;
}

export interface MaintainerStore<Row extends Maintainer> {
  byId(id: number): Promise<Row | undefined>;
  /** A query that the caller runs, alone or within a larger statement. */
  ofIds(ids: readonly number[]): Expression<Row>;
  lock(id: number): Promise<Row | undefined>;
  /** The records of a place, of all users, live ones first. */
  at(place: Place): Promise<{ id: number; user_id: number; deleted: boolean }[]>;
  insert(row: Place & { user_id: number }): Promise<number>;
  update(
    id: number,
    changes: Partial<Place> & { user_id?: number; deleted: boolean; deletion_id: string | null },
  ): Promise<void>;
  purge(id: number): Promise<void>;
}

type Table = "package_maintainers" | "repository_maintainers";
type Tables = Table | "users" | "repositories";
type Query<Row = object> = SelectQueryBuilder<Database, Tables, Row>;

const joined = (db: Db | Tx, table: Table): Query =>
  db
    .selectFrom(table)
    .innerJoin("users", "users.id", `${table}.user_id`)
    .innerJoin("repositories", "repositories.id", `${table}.repository_id`);

/** The columns of every maintainer. `sameName` compares a record of the same repository, `other`, with the row's. */
const select = (query: Query, table: Table, sameName = sql`true`) =>
  query
    .select([`${table}.id`, `${table}.user_id`, `${table}.repository_id`, `${table}.deleted`])
    .select([userRef("users").as("user"), repositoryRef().as("repository")])
    .select(["users.deleted as user_deleted", "repositories.deleted as repository_deleted"])
    .select(sql<RoleName>`(${sql.val(roleName.options)}::text[])[users.rank + 1]`.as("user_role"))
    .select(
      sql<number[]>`case when ${sql.ref(`${table}.deleted`)} then array(
        select other.user_id from ${sql.table(table)} other
        where other.repository_id = ${sql.ref(`${table}.repository_id`)} and ${sameName} and not other.deleted)
        else '{}' end`.as("holders"),
    );

const selectPackageMaintainers = (query: Query) =>
  select(query, "package_maintainers", sql`other.normalized_name = package_maintainers.normalized_name`).select([
    "package_maintainers.package_name",
    "package_maintainers.normalized_name",
  ]);
const selectRepositoryMaintainers = (query: Query) => select(query, "repository_maintainers");

export const packageMaintainerStore = (db: Db | Tx): MaintainerStore<PackageMaintainer> =>
  store(db, "package_maintainers", selectPackageMaintainers);
export const repositoryMaintainerStore = (db: Db | Tx): MaintainerStore<Maintainer> =>
  store(db, "repository_maintainers", selectRepositoryMaintainers);

const resources = {
  package_maintainers: "PACKAGE_MAINTAINER",
  repository_maintainers: "REPOSITORY_MAINTAINER",
} as const;

function store<Row extends Maintainer>(
  db: Db | Tx,
  table: Table,
  select: (query: Query) => Query<Row>,
): MaintainerStore<Row> {
  const rows = () => select(joined(db, table));
  const byId = (id: number) => rows().where(`${table}.id`, "=", id).executeTakeFirst();
  return {
    byId,
    ofIds: (ids) => rows().where(isOneOf(`${table}.id`, ids)),

    async lock(id) {
      await db.selectFrom(table).select("id").where("id", "=", id).forUpdate().execute();
      return byId(id);
    },

    at({ repository_id, normalized_name }) {
      const query = db
        .selectFrom(table)
        .select(["id", "user_id", "deleted"])
        .where("repository_id", "=", repository_id);
      const named = normalized_name === undefined ? query : query.where("normalized_name", "=", normalized_name);
      return named.orderBy("deleted").orderBy("id").execute();
    },

    async insert(row) {
      const { id } = await db.insertInto(table).values(row).returning("id").executeTakeFirstOrThrow();
      return id;
    },

    async update(id, changes) {
      await db.updateTable(table).set(changes).where("id", "=", id).execute();
    },

    async purge(id) {
      await db
        .updateTable("events")
        .set({ purged: true })
        .where("resource_type", "=", resources[table])
        .where("resource_id", "=", id)
        .execute();
      await db.deleteFrom(table).where("id", "=", id).execute();
    },
  };
}

const columns = (table: Table) => ({
  id: sql.ref(`${table}.id`),
  user: sql`users.name`,
  repository: sql`repositories.name`,
  deleted: sql.ref(`${table}.deleted`),
  ...userSorts("users"),
  ...repositorySorts,
});
const packageColumns: SortColumns<typeof packageMaintainerList> = {
  ...columns("package_maintainers"),
  packageName: sql`package_maintainers.package_name`,
};
const repositoryColumns: SortColumns<typeof repositoryMaintainerList> = columns("repository_maintainers");

const packageFilters: FilterConditions<typeof packageMaintainerList> = {
  deleted: (deleted) => sql`package_maintainers.deleted = ${deleted}`,
  technology: (technologies) => sql`repositories.technology = any(${technologies})`,
  repository: (names) => sql`repositories.name = any(${names})`,
  search: (text) => matches(text, "users.name", "package_maintainers.package_name"),
};
const repositoryFilters: FilterConditions<typeof repositoryMaintainerList> = {
  deleted: (deleted) => sql`repository_maintainers.deleted = ${deleted}`,
  resourceTechnology: (technologies) => sql`repositories.technology = any(${technologies})`,
  search: (text) => matches(text, "users.name", "repositories.name"),
};

const packageMaintainersPage = pagedList<typeof packageMaintainerList, Tables, PackageMaintainer>({
  tables: (db) => joined(db, "package_maintainers"),
  columns: packageColumns,
  id: packageColumns.id,
  select: selectPackageMaintainers,
});
const repositoryMaintainersPage = pagedList<typeof repositoryMaintainerList, Tables, Maintainer>({
  tables: (db) => joined(db, "repository_maintainers"),
  columns: repositoryColumns,
  id: repositoryColumns.id,
  select: selectRepositoryMaintainers,
});

/** Repository maintainers see the records of their repositories, deleted ones on request; administrators all. */
export function findPackageMaintainers(
  db: Db,
  query: ListQuery<typeof packageMaintainerList>,
  actor: Actor,
): Promise<Found<PackageMaintainer>> {
  const all = may("seeDeleted", actor);
  const deleted = query.filters.deleted ?? (all ? undefined : false);
  const own = sql<boolean>`package_maintainers.repository_id = any(${[...actor.maintainedRepositories]}::integer[])`;
  return packageMaintainersPage({
    db,
    query: { ...query, filters: { ...query.filters, deleted } },
    filters: packageFilters,
    conditions: all ? [] : [own],
  });
}

export const findRepositoryMaintainers = (
  db: Db,
  query: ListQuery<typeof repositoryMaintainerList>,
): Promise<Found<Maintainer>> => repositoryMaintainersPage({ db, query, filters: repositoryFilters });
