import type { rPackageList } from "@packhouse/contract/packages";
import {
  type RepositoryRef,
  type SubmissionState,
  submissionState,
  type UserRef,
} from "@packhouse/contract/references";
import { technology } from "@packhouse/contract/technology";
import { formats } from "@packhouse/formats/format";
import { sql } from "kysely";
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

/** A package as it is shown. In lists its texts are cut, and fields of one technology may be missing. */
export type ShownPackage = Omit<Package, "dependency_names">;

/** A package without its texts. */
export type PackageCore = Omit<Package, "dependency_names" | "metadata" | LongColumn>;
type LongColumn = (typeof longTexts)[number] extends `packages.${infer Column}` ? Column : never;

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

/** The columns of a package that are short whatever was uploaded. */
export const shortColumns = [
  "packages.id",
  "packages.repository_id",
  "packages.technology",
  "packages.responsible_user_id",
  "packages.name",
  "packages.normalized_name",
  "packages.version",
  "packages.version_key",
  "packages.version_order",
  "packages.kind",
  "packages.target",
  "packages.file_name",
  "packages.digest",
  "packages.digests",
  "packages.size",
  "packages.active",
  "packages.deleted",
  "packages.mirror",
  "packages.name_look",
  "packages.deletion_id",
  "packages.replaces_id",
  "packages.uploaded_on",
  "packages.manual_digest",
  "packages.manual_size",
  "packages.manual_wanted",
] as const;

const longTexts = [
  "packages.title",
  "packages.description",
  "packages.description_content_type",
  "packages.author",
  "packages.url",
  "packages.license",
  "packages.manual_failure",
] as const;

/** All columns of a package, by their names: a statement with `*` is not prepared. */
export const wholeColumns = [...shortColumns, ...longTexts, "packages.metadata", "packages.dependency_names"] as const;

export type Metadata = Package["metadata"];

/** The texts of packages in lists, with their limit. `others` are further texts of the same rows. */
export function shownTexts(
  { metadata, others = [] }: { metadata: boolean; others?: readonly string[] },
  pageSize: number,
) {
  const long = { texts: [...longTexts, ...others], objects: metadata ? ["packages.metadata"] : [] };
  const limit = textLimit(long, pageSize);
  return {
    limit,
    columns: [
      limit.as("text_limit"),
      shortText<string | null>("packages.title", limit).as("title"),
      shortText<string | null>("packages.description", limit).as("description"),
      shortText<string>("packages.description_content_type", limit).as("description_content_type"),
      shortText<string | null>("packages.author", limit).as("author"),
      shortText<string | null>("packages.url", limit).as("url"),
      shortText<string | null>("packages.license", limit).as("license"),
      shortText<string | null>("packages.manual_failure", limit).as("manual_failure"),
      (metadata ? smallObject<Metadata>("packages.metadata") : sql<Metadata>`'{}'::jsonb`).as("metadata"),
    ],
  } as const;
}
