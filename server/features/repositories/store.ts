import type { ListQuery } from "@packhouse/contract/list-contract";
import type { repositoryList } from "@packhouse/contract/repositories";
import type { Technology } from "@packhouse/contract/technology";
import { type SelectQueryBuilder, sql } from "kysely";
import type { Actor } from "../../http/actor.ts";
import { readable } from "../../identity/read-right-store.ts";
import type { Db, Tx } from "../../platform/db/database.ts";
import type { Found } from "../../platform/db/pages/found.ts";
import { contains, type FilterConditions, pagedList } from "../../platform/db/pages/page.ts";
import type { SortColumns } from "../../platform/db/pages/sort-columns.ts";
import { repositoryColumns } from "../../platform/db/repository-columns.ts";
import type { Database, RepositoryRow } from "../../platform/db/schema.ts";
import { builtOnce } from "../../platform/db/statements/built-once.ts";
import { isOneOf } from "../../platform/db/statements/is-one-of.ts";
import { copiesUnderWay } from "../../publish/records/copies-store.ts";
import type { RepositoryProperties, Taken } from "./repository.ts";

/** A repository with what lists show in addition to its own columns. */
export interface Repository extends RepositoryRow {
  number_of_packages: number;
  /** What clients read lags behind the records, here or elsewhere, or mirrors are being synchronized. */
  synchronizing: boolean;
}

const numberOfPackages = sql<number>`(
  select coalesce(sum(number), 0)::integer from package_counts
  where package_counts.repository_id = repositories.id and not package_counts.deleted)`;

const synchronizing = sql<boolean>`(
  repositories.serial > repositories.rendered_serial or ${copiesUnderWay} or exists (
    select from synchronizations where repository_id = repositories.id and ended_on is null))`;

const columns: SortColumns<typeof repositoryList> = {
  id: sql`repositories.id`,
  version: sql`repositories.version`,
  publicationUri: sql`repositories.publication_uri`,
  name: sql`repositories.name`,
  serverAddress: sql`repositories.server_address`,
  deleted: sql`repositories.deleted`,
  published: sql`repositories.published`,
  synchronizing,
  technology: sql`repositories.technology`,
  requiresAuthentication: sql`repositories.requires_authentication`,
  numberOfPackages,
  lastPublicationTimestamp: sql`repositories.last_publication_on`,
  lastModifiedTimestamp: sql`repositories.last_modified_on`,
  lastPublicationSuccessful: sql`repositories.last_publication_successful`,
};

const filters: FilterConditions<typeof repositoryList> = {
  deleted: (deleted) => sql`repositories.deleted = ${deleted}`,
  technology: (technologies) => sql`technology = any(${technologies})`,
  published: (published) => sql`published = ${published}`,
  maintainer: (names) => sql`exists (
    select from repository_maintainers m join users u on u.id = m.user_id
    where m.repository_id = repositories.id and not m.deleted and u.name = any(${names}))`,
  name: (name) => sql`repositories.name = ${name}`,
  search: (text) => sql`lower(repositories.name) like ${contains(text)}`,
};

const liveNamed = builtOnce<{ technology: Technology; name: string }, RepositoryRow>((db, value) =>
  db
    .selectFrom("repositories")
    .select([...repositoryColumns])
    .where("name", "=", value("name"))
    .where("technology", "=", value("technology"))
    .where("deleted", "=", false),
);

type Query = SelectQueryBuilder<Database, "repositories", object>;

const select = (query: Query) =>
  query
    .select([...repositoryColumns])
    .select([numberOfPackages.as("number_of_packages"), synchronizing.as("synchronizing")]);

const page = pagedList<typeof repositoryList, "repositories", Repository>({
  tables: (db) => db.selectFrom("repositories"),
  columns,
  id: columns.id,
  select,
});

export function repositories(db: Db | Tx) {
  return {
    /** One page; deleted repositories only on request. */
    find(asked: ListQuery<typeof repositoryList>, actor: Actor, only?: Technology): Promise<Found<Repository>> {
      const query = { ...asked, filters: { ...asked.filters, deleted: asked.filters.deleted ?? false } };
      const conditions = readable(actor, sql`repositories.id`);
      if (only) conditions.push(sql`technology = ${only}`);
      return page({ db, query, filters, conditions });
    },

    byId: (id: number): Promise<Repository | undefined> =>
      select(db.selectFrom("repositories")).where("repositories.id", "=", id).executeTakeFirst(),

    liveNamed: async (technology: Technology, name: string): Promise<RepositoryRow | undefined> =>
      (await liveNamed(db, { technology, name }))[0],

    /** Run by the caller, alone or within a larger statement. */
    ofIds: (ids: readonly number[]) => select(db.selectFrom("repositories")).where(isOneOf("repositories.id", ids)),

    async taken(technology: Technology, properties: RepositoryProperties, except = 0): Promise<Taken> {
      const { name, publicationUri, serverAddress } = properties;
      const row = await db
        .selectFrom("repositories")
        .select([
          sql<boolean | null>`bool_or(name = ${name})`.as("name"),
          sql<boolean | null>`bool_or(publication_uri = ${publicationUri})`.as("publication_uri"),
          sql<boolean | null>`bool_or(technology = ${technology} and server_address = ${serverAddress})`.as(
            "server_address",
          ),
        ])
        .where("id", "<>", except)
        .executeTakeFirstOrThrow();
      return {
        name: row.name ?? false,
        publicationUri: row.publication_uri ?? false,
        serverAddress: row.server_address ?? false,
      };
    },

    insert: (technology: Technology, properties: RepositoryProperties, at: Date): Promise<RepositoryRow> =>
      db
        .insertInto("repositories")
        .values({ ...columnsOf(properties), technology, last_modified_on: at })
        .returningAll()
        .executeTakeFirstOrThrow(),

    /** Marks everything in a repository as deleted. */
    async softDeleteContent(id: number, deletion: { deleted: true; deletion_id: string }): Promise<void> {
      for (const table of ["repository_maintainers", "package_maintainers"] as const)
        await db
          .updateTable(table)
          .set(deletion)
          .where("repository_id", "=", id)
          .where("deleted", "=", false)
          .execute();
      await db
        .updateTable("packages")
        .set({ ...deletion, active: false })
        .where("repository_id", "=", id)
        .where("deleted", "=", false)
        .execute();
    },

    /** Restores what a deletion marked; packages stay inactive. */
    async restoreContent(deletionId: string): Promise<void> {
      for (const table of ["repository_maintainers", "package_maintainers", "packages"] as const)
        await db
          .updateTable(table)
          .set({ deleted: false, deletion_id: null })
          .where("deletion_id", "=", deletionId)
          .execute();
    },

    /** Permanently: the rows of everything in it are deleted, too; the events stay and are marked. */
    async purge(id: number): Promise<void> {
      await db.updateTable("events").set({ purged: true }).where("repository_id", "=", id).execute();
      await db.deleteFrom("repositories").where("id", "=", id).execute();
    },
  };
}

export const columnsOf = (properties: RepositoryProperties) => ({
  name: properties.name,
  publication_uri: properties.publicationUri,
  server_address: properties.serverAddress,
  requires_authentication: properties.requiresAuthentication,
  published: properties.published,
  redirect_to_source: properties.redirectToSource,
  hash_method: properties.hashMethod,
  ...(properties.reservedNames ? { reserved_names: [...properties.reservedNames] } : {}),
  ...(properties.requiredChecks ? { required_checks: [...properties.requiredChecks] } : {}),
});
