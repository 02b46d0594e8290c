import type { rPackageList } from "@packhouse/contract/packages";
import {
  type RepositoryRef,
  type SubmissionState,
  submissionState,
  type UserRef,
} from "@packhouse/contract/references";
import { technology } from "@packhouse/contract/technology";
import { formats } from "@packhouse/formats/format";
import { type RawBuilder, sql } from "kysely";
import { repositoryRef, repositorySorts } from "../../platform/db/pages/repository-ref.ts";
import { always, concatenated, ofFew, type SortColumns } from "../../platform/db/pages/sort-columns.ts";
import { userRef, userSorts } from "../../platform/db/pages/user-ref.ts";
import type { PackageRow } from "../../platform/db/schema.ts";
import { beginning, shortText, smallObject, textLimit } from "../../platform/db/short-texts.ts";

/** A package with the records shown with it. */
export interface Package extends PackageRow {
  user: UserRef;
  repository: RepositoryRef;
  submission_id: number;
  submission_state: SubmissionState;
  submitter_id: number;
  restorable: boolean;
}

/** What items of packages of both technologies show. In lists, texts are cut. */
export type PackageItem = Omit<Package, Exclude<keyof PackageRow, NameOf<typeof itemColumns | typeof itemTexts>>>;

/** The same without its texts, as events show it. */
export type PackageItemCore = Omit<PackageItem, NameOf<typeof itemTexts>>;

/** An item with the fields of its technology. */
export type ShownPackage = PackageItem & Pick<Package, NameOf<typeof ownColumns | typeof ownTexts> | "metadata">;

/** A package without its texts. */
export type PackageCore = Omit<Package, "dependency_names" | "metadata" | NameOf<typeof itemTexts | typeof ownTexts>>;

type NameOf<Columns extends readonly string[]> = Columns[number] extends `packages.${infer Name}` ? Name : never;

/** The tables that a package is read from; submissions are read from them too. */
export type PackageTables = "packages" | "submissions" | "repositories";

/** Filters of lists of one technology; the list of both has one less. */
export type PackageList = typeof rPackageList;

/** Versions are ordered as versions, not as text, and those of both technologies in one order. */
const versionRank = sql`(case packages.technology ${sql.join(
  Object.values(formats).map(
    ({ technology, aroundVersionOrder: { before, after } }) =>
      sql`when ${sql.lit(technology)} then ${sql.lit(before)} || packages.version_order || ${sql.lit(after)}`,
  ),
  sql` `,
)} end) collate "C"`;

/** The same as its repository's. */
const packageTechnology = ofFew(sql`packages.technology`, technology.options);

/** The columns of the sort fields of a package; also below `packageBag.` in lists of submissions. */
export const packageColumns: SortColumns<PackageList> = {
  id: sql`packages.id`,
  user: always(sql`responsible.name`),
  repository: always(sql`repositories.name`),
  submission: always(sql`submissions.id`),
  name: sql`packages.name`,
  version: versionRank,
  // Names of repositories have no slash, so that no name with its slash is the beginning of another one.
  source: concatenated(always(sql`(repositories.name || '/')`), sql`(packages.digest || '/' || packages.file_name)`),
  active: ofFew(sql`packages.active`, [false, true]),
  deleted: ofFew(sql`packages.deleted`, [false, true]),
  technology: packageTechnology,
  binary: ofFew(sql`(packages.kind = 'binary')`, [false, true]),
  description: beginning("packages.description"),
  author: beginning("packages.author"),
  title: beginning("packages.title"),
  url: beginning("packages.url"),
  descriptionContentType: beginning("packages.description_content_type"),
  ...userSorts("responsible"),
  ...repositorySorts,
  "repository.technology": packageTechnology,
  "submission.id": always(sql`submissions.id`),
  "submission.state": ofFew(sql`submissions.state`, submissionState.options),
};

/** The columns of a package in addition to its own, for a query that has joined what `joined` joins. */
export const packageParts = [
  userRef("responsible").as("user"),
  repositoryRef().as("repository"),
  sql<number>`submissions.id`.as("submission_id"),
  sql<SubmissionState>`submissions.state`.as("submission_state"),
  sql<number>`submissions.submitter_id`.as("submitter_id"),
  sql<boolean>`packages.deleted and not repositories.deleted and not exists (
    select from packages other
    where (other.repository_id, other.normalized_name, other.version_key, other.kind, other.target)
        = (packages.repository_id, packages.normalized_name, packages.version_key, packages.kind, packages.target)
      and not other.deleted and other.replaces_id is null)`.as("restorable"),
] as const;

/** Columns that are short whatever was uploaded: those that any item shows, or by which is decided who may change it. */
export const itemColumns = [
  "packages.id",
  "packages.repository_id",
  "packages.technology",
  "packages.responsible_user_id",
  "packages.name",
  "packages.normalized_name",
  "packages.version",
  "packages.kind",
  "packages.file_name",
  "packages.digest",
  "packages.size",
  "packages.active",
  "packages.deleted",
  "packages.mirror",
] as const;

/** Those that items of one technology show. */
const ownColumns = ["packages.digests", "packages.manual_digest"] as const;

/** All columns that are short. */
export const shortColumns = [
  ...itemColumns,
  ...ownColumns,
  "packages.version_key",
  "packages.version_order",
  "packages.target",
  "packages.name_look",
  "packages.deletion_id",
  "packages.replaces_id",
  "packages.uploaded_on",
  "packages.manual_size",
  "packages.manual_wanted",
] as const;

const itemTexts = [
  "packages.title",
  "packages.description",
  "packages.description_content_type",
  "packages.author",
  "packages.url",
] as const;

const ownTexts = ["packages.license", "packages.manual_failure"] as const;

/** All columns of a package, by their names: a statement with `*` is not prepared. */
export const wholeColumns = [
  ...shortColumns,
  ...itemTexts,
  ...ownTexts,
  "packages.metadata",
  "packages.dependency_names",
] as const;

export type Metadata = Package["metadata"];

/** The texts of items in lists, with their limit. `others` are further texts of the same rows. */
export function shownTexts(pageSize: number, others: readonly string[] = []) {
  const limit = textLimit({ texts: [...itemTexts, ...others], objects: [] }, pageSize);
  return { limit, columns: [limit.as("text_limit"), ...cutTexts(limit)] } as const;
}

/** What items of one technology show in lists, with the limit of all their texts. */
export function shownOwn(pageSize: number) {
  const limit = textLimit({ texts: [...itemTexts, ...ownTexts], objects: ["packages.metadata"] }, pageSize);
  return [
    ...ownColumns,
    limit.as("text_limit"),
    ...cutTexts(limit),
    shortText<string | null>("packages.license", limit).as("license"),
    shortText<string | null>("packages.manual_failure", limit).as("manual_failure"),
    smallObject<Metadata>("packages.metadata").as("metadata"),
  ] as const;
}

const cutTexts = (limit: RawBuilder<number>) =>
  [
    shortText<string | null>("packages.title", limit).as("title"),
    shortText<string | null>("packages.description", limit).as("description"),
    shortText<string>("packages.description_content_type", limit).as("description_content_type"),
    shortText<string | null>("packages.author", limit).as("author"),
    shortText<string | null>("packages.url", limit).as("url"),
  ] as const;
