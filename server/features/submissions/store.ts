import type { ListQuery } from "@packhouse/contract/list-contract";
import { submissionState, type UserRef } from "@packhouse/contract/references";
import type { submissionList } from "@packhouse/contract/submissions";
import { type Technology, technology } from "@packhouse/contract/technology";
import { type RawBuilder, type SelectQueryBuilder, sql } from "kysely";
import type { Actor } from "../../http/actor.ts";
import { readable } from "../../identity/read-right-store.ts";
import type { Db, Tx } from "../../platform/db/database.ts";
import type { Found } from "../../platform/db/pages/found.ts";
import { contains, type FilterConditions, folded, pagedList, type RowOf } from "../../platform/db/pages/page.ts";
import { inRepositories } from "../../platform/db/pages/repository-ref.ts";
import { always, ofFew, type SortColumns, sometimes } from "../../platform/db/pages/sort-columns.ts";
import { userRef } from "../../platform/db/pages/user-ref.ts";
import type { Database, NewPackageRow, SubmissionRow } from "../../platform/db/schema.ts";
import { beginning, shortText, textLimit } from "../../platform/db/short-texts.ts";
import { builtOnce } from "../../platform/db/statements/built-once.ts";
import { isOneOf } from "../../platform/db/statements/is-one-of.ts";
import { isRowId } from "../../platform/db/statements/row-id.ts";
import { storedJson } from "../../platform/db/stored-json.ts";
import { factsColumns } from "../packages/contents/facts-store.ts";
import type { PackageFacts } from "../packages/contents/package-facts.ts";
import {
  itemColumns,
  type Package,
  type PackageCore,
  type PackageItem,
  type PackageItemCore,
  type PackageTables,
  packageColumns,
  packageParts,
  shortColumns,
  shownTexts,
  wholeColumns,
} from "../packages/package-columns-store.ts";
import { type CountedFilters, keptCount, onCounts } from "../packages/package-count-store.ts";
import { assignedTo } from "./assigned-store.ts";

interface OwnColumns {
  submitter: UserRef;
  approver: UserRef | null;
  changes: string;
  submitted_on: Date;
  /** Why it was rejected, or the note of its acceptance. */
  reason: string | null;
}
/** A submission with its package and its users. */
export type Submission = Package & OwnColumns;
/** What items show; in lists, texts are cut. */
export type SubmissionItem = PackageItem & Pick<Package, "replaces_id"> & OwnColumns;
/** What events show. */
export type SubmissionItemCore = PackageItemCore & Omit<OwnColumns, "reason">;
/** A submission without the texts of the package. */
export type SubmissionCore = PackageCore & Omit<OwnColumns, "reason">;

type Query = SelectQueryBuilder<Database, PackageTables, object>;

const joined = (db: Db | Tx) =>
  db
    .selectFrom("submissions")
    .innerJoin("packages", "packages.id", "submissions.package_id")
    .innerJoin("repositories", "repositories.id", "packages.repository_id")
    .innerJoin("users as responsible", "responsible.id", "packages.responsible_user_id")
    .innerJoin("users as submitter", "submitter.id", "submissions.submitter_id")
    .leftJoin("users as approver", "approver.id", "submissions.approver_id") as unknown as Query; // aliases are only read through `sql`

/** The same, for lists; see `List.tables`. */
const listed = (db: Db | Tx) =>
  db
    .selectFrom("submissions")
    .leftJoin("packages", "packages.id", "submissions.package_id")
    .leftJoin("repositories", "repositories.id", "packages.repository_id")
    .leftJoin("users as responsible", "responsible.id", "packages.responsible_user_id")
    .leftJoin("users as submitter", "submitter.id", "submissions.submitter_id")
    .leftJoin("users as approver", "approver.id", "submissions.approver_id") as unknown as Query;

const ownParts = [
  userRef("submitter").as("submitter"),
  sql<UserRef | null>`case when approver.id is null then null else ${userRef("approver")} end`.as("approver"),
  sql<Date>`submissions.created_on`.as("submitted_on"),
] as const;

const select = (query: Query) =>
  query
    .select([...wholeColumns])
    .select([...packageParts, ...ownParts])
    .select([sql<string>`submissions.changes`.as("changes"), sql<string | null>`submissions.reason`.as("reason")]);

const selectListed = (query: Query, pageSize: number) => {
  const { limit, columns } = shownTexts(pageSize, ["submissions.changes", "submissions.reason"]);
  return query
    .select([...itemColumns, "packages.replaces_id"])
    .select([...packageParts, ...ownParts])
    .select([
      ...columns,
      shortText<string>("submissions.changes", limit).as("changes"),
      shortText<string | null>("submissions.reason", limit).as("reason"),
    ]);
};

/** What events show. */
const selectCore = (query: Query, mostRows: number) => {
  const limit = textLimit({ texts: ["submissions.changes"], objects: [] }, mostRows);
  return query
    .select([...itemColumns])
    .select([...packageParts, ...ownParts])
    .select(shortText<string>("submissions.changes", limit).as("changes"));
};

const locking = (db: Db | Tx, which: RawBuilder<boolean>) =>
  joined(db)
    .select([...shortColumns])
    .select([...packageParts, ...ownParts])
    .select(sql<string>`submissions.changes`.as("changes"))
    .where(which)
    .orderBy("submissions.id")
    .forUpdate(["packages", "submissions"]);

const wholeOf = builtOnce<{ id: number }, Submission>((db, value) =>
  select(joined(db)).where("submissions.id", "=", value("id")),
);
const lockedOf = builtOnce<{ id: number }, SubmissionCore>((db, value) =>
  locking(db, sql`submissions.id = ${value("id")}`),
);

/** What an upload stores of its package; other columns have their defaults. */
const uploadedColumns = [
  "technology",
  "name",
  "normalized_name",
  "version",
  "version_key",
  "version_order",
  "kind",
  "target",
  "file_name",
  "title",
  "description",
  "description_content_type",
  "author",
  "url",
  "license",
  "metadata",
  "dependency_names",
  "name_look",
  "repository_id",
  "responsible_user_id",
  "digest",
  "digests",
  "size",
  "active",
  "replaces_id",
  "uploaded_on",
  "manual_digest",
  "manual_size",
  "manual_wanted",
  "mirror",
] as const satisfies readonly (keyof NewPackageRow)[];
export type UploadedPackage = Required<Pick<NewPackageRow, (typeof uploadedColumns)[number]>>;
type UploadedSubmission = Pick<SubmissionRow, "submitter_id" | "approver_id" | "state" | "changes">;

interface InsertedUpload {
  packageId: number;
  submissionId: number;
  /** The digests of its bytes that exist until the transaction ends. */
  held: string[];
}

const insertUpload = builtOnce<UploadedPackage & UploadedSubmission & { facts: string }, InsertedUpload>((db, value) =>
  db
    .with("held", (held) =>
      held
        .selectFrom("objects")
        .select("digest")
        .where(sql<boolean>`digest in (${value("digest")}, ${value("manual_digest")})`)
        .forKeyShare(),
    )
    .with("added", (add) =>
      add
        .insertInto("packages")
        .columns([...uploadedColumns])
        .expression(sql`values (${sql.join(uploadedColumns.map((name) => value(name)))})`)
        .returning(["id", "technology", "uploaded_on"]),
    )
    .with("read", (add) =>
      add
        .insertInto("package_facts")
        .columns(["package_id", "version", "facts"])
        .expression(({ selectFrom }) => selectFrom("added").select(["id", ...factsColumns(value("facts"))])),
    )
    .insertInto("submissions")
    .columns(["package_id", "technology", "created_on", "submitter_id", "approver_id", "state", "changes"])
    .expression(({ selectFrom }) =>
      selectFrom("added").select([
        "id",
        "technology",
        "uploaded_on",
        sql<number>`${value("submitter_id")}::integer`.as("submitter_id"),
        sql<number | null>`${value("approver_id")}::integer`.as("approver_id"),
        sql<string>`${value("state")}::text`.as("state"),
        sql<string>`${value("changes")}::text`.as("changes"),
      ]),
    )
    .returning(["package_id as packageId", "id as submissionId"])
    .returning(sql<string[]>`array(select digest from held)`.as("held")),
);

const userColumns = (table: string, marked: (column: RawBuilder<unknown>) => RawBuilder<unknown>) =>
  ({
    id: marked(sql.ref(`${table}.id`)),
    name: marked(sql.ref(`${table}.name`)),
    login: marked(sql.ref(`${table}.login`)),
    email: marked(sql.ref(`${table}.email`)),
  }) as const;
const submitter = userColumns("submitter", always);
const approver = userColumns("approver", (column) => sometimes(column, sql<boolean>`submissions.approver_id is null`));

const packageName = always(sql`packages.name`);
/** The same as its package's and its repository's. */
const ownTechnology = ofFew(sql`submissions.technology`, technology.options);

const columns: SortColumns<typeof submissionList> = {
  id: sql`submissions.id`,
  packageBag: packageName,
  submitter: submitter.name,
  approver: approver.name,
  changes: beginning("submissions.changes"),
  state: ofFew(sql`submissions.state`, submissionState.options),
  created: sql`submissions.created_on`,
  technology: ownTechnology,
  "submitter.id": submitter.id,
  "submitter.name": submitter.name,
  "submitter.login": submitter.login,
  "submitter.email": submitter.email,
  "approver.id": approver.id,
  "approver.name": approver.name,
  "approver.login": approver.login,
  "approver.email": approver.email,
  "packageBag.id": sql`submissions.package_id`,
  "packageBag.user": packageColumns.user,
  "packageBag.repository": packageColumns.repository,
  "packageBag.submission": sql`submissions.id`,
  "packageBag.name": packageName,
  "packageBag.version": packageColumns.version,
  "packageBag.source": packageColumns.source,
  "packageBag.active": packageColumns.active,
  "packageBag.deleted": packageColumns.deleted,
  "packageBag.technology": ownTechnology,
  "packageBag.binary": packageColumns.binary,
  "packageBag.user.id": packageColumns["user.id"],
  "packageBag.user.name": packageColumns["user.name"],
  "packageBag.user.login": packageColumns["user.login"],
  "packageBag.user.email": packageColumns["user.email"],
  "packageBag.repository.id": packageColumns["repository.id"],
  "packageBag.repository.name": packageColumns["repository.name"],
  "packageBag.repository.publicationUri": packageColumns["repository.publicationUri"],
  "packageBag.repository.published": packageColumns["repository.published"],
  "packageBag.repository.requiresAuthentication": packageColumns["repository.requiresAuthentication"],
  "packageBag.repository.technology": ownTechnology,
  "packageBag.repository.lastPublicationSuccessful": packageColumns["repository.lastPublicationSuccessful"],
  "packageBag.submission.id": sql`submissions.id`,
  "packageBag.submission.state": packageColumns["submission.state"],
};

/** `people`: the users whose names contain what is searched for. */
const filtersOf = (actor: Actor, people: readonly number[]): FilterConditions<typeof submissionList> => ({
  state: (states) => sql`submissions.state = any(${states})`,
  technology: (technologies) => sql`submissions.technology = any(${technologies})`,
  repository: inRepositories,
  fromDate: (from) => sql`submissions.created_on >= ${from}`,
  toDate: (to) => sql`submissions.created_on <= ${to}`,
  search: (text) => {
    const name = sql<boolean>`lower(packages.name) like ${contains(text)}`;
    if (people.length === 0) return name;
    return sql`(${name} or submissions.submitter_id = any(${people}::integer[])
      or submissions.approver_id = any(${people}::integer[]))`;
  },
  binary: (binary) => sql`packages.kind = ${binary ? "binary" : "source"}`,
  assignedToMe: (asked) => (asked ? assignedTo(actor) : undefined),
});

const counted: CountedFilters<typeof submissionList> = onCounts;

async function peopleNamed(db: Db | Tx, text: string): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from users where ${folded("name")} like ${contains(text)}`.execute(db);
  return rows.map(({ id }) => id);
}

const page = pagedList<typeof submissionList, PackageTables, RowOf<typeof selectListed>>({
  tables: listed,
  columns,
  id: columns.id,
  select: selectListed,
});

export function submissions(db: Db | Tx) {
  return {
    async find(
      query: ListQuery<typeof submissionList>,
      actor: Actor,
      only?: Technology,
    ): Promise<Found<SubmissionItem>> {
      const { search } = query.filters;
      // In a statement of its own: most searches are like nobody's name, and then need an index of packages alone.
      const people = search ? await peopleNamed(db, search) : [];
      const conditions = readable(actor, sql`packages.repository_id`);
      if (only) conditions.push(sql<boolean>`submissions.technology = ${only}`);
      const found = await page({
        db,
        query,
        filters: filtersOf(actor, people),
        conditions,
        mayComeLast: query.filters.repository !== undefined,
        keptCount: () => keptCount(db, { counted, values: query.filters, actor, only }),
      });
      return { ...found, textLimit: found.rows[0]?.text_limit };
    },

    byId: async (id: number): Promise<Submission | undefined> => (await wholeOf(db, { id }))[0],

    /** Run by the caller, alone or within a larger statement. */
    ofIds: (ids: readonly number[]) => selectCore(joined(db), ids.length).where(isOneOf("submissions.id", ids)),

    /** With their packages, locked in the order of their ids; the caller has locked the repository. */
    async lockedAll(ids: readonly number[]): Promise<Map<number, SubmissionCore>> {
      const rows = await locking(db, isOneOf("submissions.id", ids)).execute();
      return new Map(rows.map((row) => [row.submission_id, row]));
    },

    /** The repositories of those that exist, in the order of both. */
    repositoriesOf: (ids: readonly number[]): Promise<{ id: number; repositoryId: number }[]> =>
      db
        .selectFrom("submissions")
        .innerJoin("packages", "packages.id", "submissions.package_id")
        .select(["submissions.id", "packages.repository_id as repositoryId"])
        .where(sql<boolean>`submissions.id = any(${ids.filter(isRowId)}::integer[])`)
        .orderBy("packages.repository_id")
        .orderBy("submissions.id")
        .execute(),

    locked: async (id: number): Promise<SubmissionCore | undefined> => (await lockedOf(db, { id }))[0],

    /**
     * Adds a package with what was read from its archive, and its submission, in one statement, which also holds the
     * bytes that the package names, as `holdObject` does.
     */
    async insert(row: UploadedPackage, facts: PackageFacts, submission: UploadedSubmission): Promise<InsertedUpload> {
      const [added] = await insertUpload(db, { ...row, ...submission, facts: storedJson(facts) });
      if (!added) throw new Error("an upload was not inserted");
      return added;
    },
  };
}
