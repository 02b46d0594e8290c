import type { ListQuery } from "@packhouse/contract/list-contract";
import { type OtherFile, pythonPackageFields, rPackageFields } from "@packhouse/contract/packages";
import type { Decision } from "@packhouse/contract/submissions";
import type { Technology } from "@packhouse/contract/technology";
import { type RawBuilder, type SelectQueryBuilder, sql } from "kysely";
import type { Actor } from "../../http/actor.ts";
import { readable } from "../../identity/read-right-store.ts";
import type { Db, Tx } from "../../platform/db/database.ts";
import type { Found } from "../../platform/db/pages/found.ts";
import { contains, type FilterConditions, pagedList, type RowOf, rowCount } from "../../platform/db/pages/page.ts";
import { inRepositories } from "../../platform/db/pages/repository-ref.ts";
import type { Database } from "../../platform/db/schema.ts";
import { cutObjects } from "../../platform/db/short-texts.ts";
import { builtOnce, type Place } from "../../platform/db/statements/built-once.ts";
import { isOneOf, isOneOfTexts } from "../../platform/db/statements/is-one-of.ts";
import { isRowId } from "../../platform/db/statements/row-id.ts";
import { lookOf } from "../../platform/names/lookalikes.ts";
import { type Lookalike, lookalikeAmong } from "./new-name.ts";
import type { KnownPackage } from "./origin.ts";
import {
  itemColumns,
  type Metadata,
  type Package,
  type PackageItem,
  type PackageList,
  type PackageTables,
  packageColumns,
  packageParts,
  type ShownPackage,
  shownOwn,
  shownTexts,
  wholeColumns,
} from "./package-columns-store.ts";
import { type CountedFilters, keptCount, onCounts } from "./package-count-store.ts";

const joined = (db: Db | Tx) =>
  db
    .selectFrom("packages")
    .innerJoin("submissions", "submissions.package_id", "packages.id")
    .innerJoin("repositories", "repositories.id", "packages.repository_id")
    .innerJoin("users as responsible", "responsible.id", "packages.responsible_user_id") as unknown as Query; // the alias is only read through `sql`

/** The same, for lists; see `List.tables`. */
const listed = (db: Db | Tx) =>
  db
    .selectFrom("packages")
    .leftJoin("submissions", "submissions.package_id", "packages.id")
    .leftJoin("repositories", "repositories.id", "packages.repository_id")
    .leftJoin("users as responsible", "responsible.id", "packages.responsible_user_id") as unknown as Query;

type Query = SelectQueryBuilder<Database, PackageTables, object>;

const selectPackage = (query: Query) => query.select([...wholeColumns]).select([...packageParts]);

const shownMembers = Object.keys({ ...rPackageFields.shape, ...pythonPackageFields.shape });

/** For events: no texts at all. */
const selectCore = (query: Query) => query.select([...itemColumns]).select([...packageParts]);

const selectItem = (query: Query, pageSize: number) => selectCore(query).select([...shownTexts(pageSize).columns]);

const selectShown = (query: Query, pageSize: number) => selectCore(query).select([...shownOwn(pageSize)]);

type PlacedIdentity = Identity & { repositoryId: number };

/** Whether a package is the same file of the same version. */
export const hasIdentity = (value: Place<PlacedIdentity>) => sql<boolean>`(
  packages.repository_id = ${value("repositoryId")} and packages.normalized_name = ${value("normalizedName")}
  and packages.version_key = ${value("versionKey")} and packages.kind = ${value("kind")}
  and packages.target = ${value("target")} and not packages.deleted)`;

const withId = (db: Db | Tx, value: Place<{ id: number }>) =>
  selectPackage(joined(db)).where("packages.id", "=", value("id"));
const ofId = builtOnce(withId);
const lockedOfId = builtOnce((db, value: Place<{ id: number }>) => withId(db, value).forUpdate("packages"));

const ofIdentity = builtOnce<PlacedIdentity, Package>((db, value) =>
  selectPackage(joined(db)).where(hasIdentity(value)),
);

/**
 * The accepted packages of a repository whose looks fit a condition; and whether the looks of some are missing, which
 * earlier versions did not store.
 */
export const alikeColumns = (repositoryId: number | RawBuilder<number>, looksAlike: RawBuilder<boolean>) =>
  [
    sql<boolean>`exists (select from packages where repository_id = ${repositoryId} and name_look is null)`.as(
      "incomplete",
    ),
    sql<Lookalike[]>`(
      select coalesce(json_agg(json_build_object(
        'name', packages.name, 'normalizedName', normalized_name, 'mirror', mirror) order by packages.id), '[]')
      from packages join submissions on submissions.package_id = packages.id
      where repository_id = ${repositoryId} and ${looksAlike} and not deleted and state = 'ACCEPTED')`.as("alike"),
  ] as const;

/** Files of one version that its item names. */
const mostOtherFiles = 1000;

function ofOrigin(origins: readonly string[], isMirrored: RawBuilder<boolean>): RawBuilder<boolean> {
  const [uploads, mirrored] = [origins.includes("upload"), origins.includes("mirror")];
  if (uploads === mirrored) return sql<boolean>`${sql.lit(uploads)}`;
  return mirrored ? isMirrored : sql<boolean>`not (${isMirrored})`;
}

const named = (text: string) => sql<boolean>`lower(packages.name) like ${contains(text)}`;

const filters: FilterConditions<PackageList> = {
  repository: inRepositories,
  deleted: (deleted) => sql`packages.deleted = ${deleted}`,
  submissionState: (states) => sql`submissions.state = any(${states})`,
  technology: (technologies) => sql`packages.technology = any(${technologies})`,
  search: named,
  name: named,
  maintainer: (names) => sql`responsible.name = any(${names})`,
  notMaintainedBy: (names) => sql`responsible.name <> all(${names})`,
  origin: (origins) => ofOrigin(origins, sql`packages.mirror is not null`),
  binary: (binary) => sql`packages.kind = ${binary ? "binary" : "source"}`,
};

const counted: CountedFilters<PackageList> = {
  ...onCounts,
  submissionState: onCounts.state,
  deleted: (deleted) => sql`deleted = ${deleted}`,
  origin: (origins) => ofOrigin(origins, sql`mirrored`),
};

const list = { tables: listed, columns: packageColumns, id: packageColumns.id };
const itemsPage = pagedList<PackageList, PackageTables, RowOf<typeof selectItem>>({ ...list, select: selectItem });
const shownPage = pagedList<PackageList, PackageTables, RowOf<typeof selectShown>>({ ...list, select: selectShown });

/** The packages that an actor finds, of one technology or of both. */
function asked(db: Db | Tx, query: ListQuery<PackageList>, actor: Actor, only?: Technology) {
  const conditions = readable(actor, sql`packages.repository_id`);
  if (only) conditions.push(sql<boolean>`packages.technology = ${only}`);
  const { notMaintainedBy: maintainer, ...values } = query.filters;
  return {
    db,
    query,
    filters,
    conditions,
    mayComeLast: query.filters.repository !== undefined,
    keptCount() {
      // Someone maintains fewer packages than all others.
      const without = maintainer && rowCount({ tables: listed(db), filters, conditions }, { ...values, maintainer });
      return keptCount(db, { counted, values, actor, only, without });
    },
  };
}

export function packages(db: Db | Tx) {
  return {
    async find(query: ListQuery<PackageList>, actor: Actor): Promise<Found<PackageItem>> {
      const found = await itemsPage(asked(db, query, actor));
      return { ...found, textLimit: found.rows[0]?.text_limit };
    },

    /** With the fields of the technology. */
    async findOf(only: Technology, query: ListQuery<PackageList>, actor: Actor): Promise<Found<ShownPackage>> {
      const found = await shownPage(asked(db, query, actor, only));
      const limit = found.rows[0]?.text_limit;
      const large = await cutObjects<Metadata>(db, "packages.metadata", {
        ids: found.rows.filter((row) => row.metadata === null).map(({ id }) => id),
        limit: limit ?? 0,
        members: shownMembers,
      });
      const whole = found.rows.map((row) => ({ ...row, metadata: row.metadata ?? large.get(row.id) ?? {} }));
      return { ...found, rows: whole, textLimit: limit };
    },

    byId: async (id: number): Promise<Package | undefined> => (await ofId(db, { id }))[0],

    /** Run by the caller, alone or within a larger statement. */
    ofIds: (ids: readonly number[]) => selectCore(joined(db)).where(isOneOf("packages.id", ids)),

    siblings: (row: Package): Promise<OtherFile[]> =>
      db
        .selectFrom("packages")
        .select(["id", "file_name as fileName", "size", sql<boolean>`kind = 'binary'`.as("binary")])
        .select(
          (["rversion", "architecture", "distribution"] as const).map((name) =>
            sql<string | null>`metadata ->> ${sql.lit(name)}`.as(name),
          ),
        )
        .where("repository_id", "=", row.repository_id)
        .where("normalized_name", "=", row.normalized_name)
        .where("version_key", "=", row.version_key)
        .where("active", "=", true)
        .where("deleted", "=", false)
        .where("id", "<>", row.id)
        .orderBy("file_name")
        .orderBy("target")
        .limit(mostOtherFiles)
        .execute(),

    /** Whether all of them are given and exist, deleted or not. */
    async referencesExist(ids: Record<"user" | "repository" | "submission", number | undefined>): Promise<boolean> {
      const { user = 0, repository = 0, submission = 0 } = ids;
      if (![user, repository, submission].every(isRowId)) return false;
      const { rows } = await sql<{ exist: boolean }>`
        select exists (select from users where id = ${user})
          and exists (select from repositories where id = ${repository})
          and exists (select from submissions where id = ${submission}) as exist`.execute(db);
      return rows[0]?.exist ?? false;
    },

    /** Locked against changes by others. */
    locked: async (id: number): Promise<Package | undefined> => (await lockedOfId(db, { id }))[0],

    /** Live packages that are the same file of the same version: the package itself, and a waiting replacement. */
    ofIdentity: (repositoryId: number, it: Identity): Promise<Package[]> => ofIdentity(db, { ...it, repositoryId }),

    /** All packages of a name, deleted ones too, as the rules for mirrors see them. */
    async ofName(repositoryId: number, normalizedName: string): Promise<KnownPackage[]> {
      return (await this.ofNames(repositoryId, [normalizedName])).get(normalizedName) ?? [];
    },

    async ofNames(
      repositoryId: number,
      normalizedNames: readonly string[],
    ): Promise<Map<string, (KnownPackage & { fileName: string })[]>> {
      const rows = await db
        .selectFrom("packages")
        .innerJoin("submissions", "submissions.package_id", "packages.id")
        .select(["normalized_name", "version_key", "kind", "target", "file_name", "digests", "mirror", "deleted"])
        .select(["state", sql<boolean>`replaces_id is not null`.as("waits_to_replace")])
        .where("repository_id", "=", repositoryId)
        .where(isOneOfTexts("normalized_name", normalizedNames))
        .orderBy("packages.id")
        .execute();
      const known = rows.map((row) => ({
        normalizedName: row.normalized_name,
        versionKey: row.version_key,
        kind: row.kind,
        target: row.target,
        fileName: row.file_name,
        digests: row.digests,
        mirror: row.mirror,
        accepted: row.state === "ACCEPTED",
        deleted: row.deleted,
        waitsToReplace: row.waits_to_replace,
      }));
      return Map.groupBy(known, (it) => it.normalizedName);
    },

    /**
     * Another accepted name that looks like a new one. Undefined also when packages of the very name exist: then it is
     * not new, whatever it looks like.
     */
    async lookalikeOf(repositoryId: number, normalizedName: string): Promise<Lookalike | undefined> {
      return lookalikeAmong(await this.acceptedLike(repositoryId, [normalizedName]), normalizedName);
    },

    /** The accepted packages whose names may look like one of these, which includes those of the very names. */
    async acceptedLike(repositoryId: number, normalizedNames: readonly string[]): Promise<Lookalike[]> {
      const looksAlike = isOneOfTexts("name_look", normalizedNames.map(lookOf));
      const { incomplete, alike } = await db
        .selectNoFrom([...alikeColumns(repositoryId, looksAlike)])
        .executeTakeFirstOrThrow();
      if (!incomplete) return alike;
      await this.fillLooks(repositoryId);
      return this.acceptedLike(repositoryId, normalizedNames);
    },

    /** Earlier versions stored packages without it. */
    async fillLooks(repositoryId: number): Promise<void> {
      const rows = await db
        .selectFrom("packages")
        .select("normalized_name")
        .distinct()
        .where("repository_id", "=", repositoryId)
        .where("name_look", "is", null)
        .execute();
      if (rows.length === 0) return;
      const names = rows.map((row) => row.normalized_name);
      await sql`
        update packages set name_look = named.look
        from unnest(${names}::text[], ${names.map(lookOf)}::text[]) as named(name, look)
        where repository_id = ${repositoryId} and normalized_name = named.name and name_look is null`.execute(db);
    },

    /**
     * Ends the wait of packages; the decision also becomes part of the history of their reviews. Accepted packages become
     * active, and no longer wait to replace others.
     */
    async decide(ended: readonly EndedWait[], { state, approverId, reason, at }: DecidedAs): Promise<void> {
      const submissionIds = ended.map(({ submissionId }) => submissionId);
      const acceptedIds = state === "ACCEPTED" ? ended.map(({ packageId }) => packageId) : [];
      await db
        .with("ended", (end) =>
          end
            .updateTable("submissions")
            .set({ state, approver_id: approverId, reason: reason === "" ? null : reason })
            .where(isOneOf("id", submissionIds)),
        )
        .with("accepted", (accept) =>
          accept.updateTable("packages").set({ active: true, replaces_id: null }).where(isOneOf("id", acceptedIds)),
        )
        .insertInto("review_decisions")
        .values(
          ended.map(({ submissionId, passedOver }) => ({
            submission_id: submissionId,
            decision: state,
            reason,
            user_id: approverId,
            decided_on: at,
            passed_over: [...passedOver],
          })),
        )
        .execute();
    },

    async discard(ids: readonly number[]): Promise<void> {
      await db.updateTable("packages").set({ active: false, deleted: true }).where(isOneOf("id", ids)).execute();
      await packages(db).leaveReplacements(ids);
    },

    /** Waiting replacements of deleted packages have nothing left to replace, and take the identity. */
    async leaveReplacements(ids: readonly number[]): Promise<void> {
      await db
        .updateTable("packages")
        .set({ replaces_id: null })
        .where(isOneOf("replaces_id", ids))
        .where("deleted", "=", false)
        .execute();
    },

    /** Releases the identity of a package that is about to be purged. */
    async releaseIdentity(id: number): Promise<void> {
      await db.updateTable("packages").set({ deleted: true }).where("id", "=", id).execute();
    },

    /** Waiting replacements of one package become those of another. */
    async moveReplacements(from: number, to: number): Promise<void> {
      await db.updateTable("packages").set({ replaces_id: to }).where("replaces_id", "=", from).execute();
    },

    /** Of repositories, by their ids. */
    async hashMethods(repositoryIds: readonly number[]): Promise<Map<number, string>> {
      const rows = await db
        .selectFrom("repositories")
        .select(["id", "hash_method"])
        .where(isOneOf("id", repositoryIds))
        .execute();
      return new Map(rows.map(({ id, hash_method }) => [id, hash_method]));
    },

    async setActive(id: number, active: boolean): Promise<void> {
      await db.updateTable("packages").set({ active }).where("id", "=", id).execute();
    },

    async softDelete(id: number, deletionId: string): Promise<void> {
      const deleted = db
        .updateTable("packages")
        .set({ deleted: true, active: false, deletion_id: deletionId })
        .where("id", "=", id)
        .execute();
      await Promise.all([deleted, packages(db).leaveReplacements([id])]);
    },

    async restore(id: number): Promise<void> {
      await db
        .updateTable("packages")
        .set({ deleted: false, active: false, deletion_id: null })
        .where("id", "=", id)
        .execute();
    },

    /** Rows only: the package and with it its submission. Events stay, marked; the sweep removes bytes. */
    async purge(id: number): Promise<void> {
      await db.updateTable("events").set({ purged: true }).where("package_id", "=", id).execute();
      await db.deleteFrom("packages").where("id", "=", id).execute();
    },
  };
}

/** How submissions were decided. */
interface DecidedAs {
  state: Decision;
  approverId: number;
  /** Empty without one. */
  reason: string;
  at: Date;
}

interface EndedWait {
  packageId: number;
  submissionId: number;
  /** Required checks that had not passed. */
  passedOver: readonly string[];
}

/** What makes two uploads the same package. */
export interface Identity {
  normalizedName: string;
  versionKey: string;
  kind: "source" | "binary";
  target: string;
}
