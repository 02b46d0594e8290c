import type { ListQuery } from "@packhouse/contract/list-contract";
import type { UserRef } from "@packhouse/contract/references";
import {
  type ReleaseFile,
  type ReviewLevel,
  reviewLevel,
  type reviewList,
  type SignalCounts,
} from "@packhouse/contract/review/release";
import { signalLevels } from "@packhouse/contract/review/signals";
import type { Technology } from "@packhouse/contract/technology";
import { type RawBuilder, type SelectQueryBuilder, sql } from "kysely";
import type { Actor } from "../../../http/actor.ts";
import { readable } from "../../../identity/read-right-store.ts";
import type { Db, Tx } from "../../../platform/db/database.ts";
import type { Found } from "../../../platform/db/pages/found.ts";
import { contains, type FilterConditions, folded, pagedList } from "../../../platform/db/pages/page.ts";
import type { SortColumns } from "../../../platform/db/pages/sort-columns.ts";
import { userRef } from "../../../platform/db/pages/user-ref.ts";
import type { Database } from "../../../platform/db/schema.ts";
import { shortText, textLimit } from "../../../platform/db/short-texts.ts";
import { assignedTo } from "../../submissions/assigned-store.ts";

/** A release as lists and the desk show it. */
export interface Release {
  id: number;
  technology: Technology;
  name: string;
  version: string;
  repository: { id: number; name: string };
  submitter: UserRef;
  submitted_on: Date;
  changes: string;
  files: ReleaseFile[];
  base: { packageId: number; version: string; repository: string } | null;
  level: ReviewLevel | null;
  signals: SignalCounts;
  incomplete: boolean;
  lines_added: number | null;
  lines_removed: number | null;
  changes_asked: boolean;
  assignee: UserRef | null;
  looking: UserRef[];
  opened: boolean;
  checks: { passed: number; failed: number; running: number };
  comments: number;
  /** Whether the caller may decide on one of its files. */
  decides: boolean;
}

interface Reader {
  actor: Actor;
  now: Date;
}

type Tables = "submissions" | "packages" | "repositories" | "users";
type Query = SelectQueryBuilder<Database, Tables, object>;

const levels = sql`${sql.lit(`{${reviewLevel.options.join(",")}}`)}::text[]`;

/** Of the submission that a release is named after. */
const first = (column: string) => sql`(array_agg(${sql.ref(column)} order by submissions.id))[1]`;

/**
 * Groups the files that fulfill a condition into releases, with all that lists are filtered and sorted by: looking it up
 * for each release takes longer than grouping them.
 */
const grouped = ({ actor }: Reader, condition: RawBuilder<boolean>) => sql`(
  select min(submissions.id) as id, array_agg(submissions.id order by submissions.id) as files,
    packages.repository_id, min(packages.technology) as technology, ${first("packages.name")} as name,
    ${first("submissions.submitter_id")} as submitter_id, ${first("submissions.created_on")} as created_on,
    bool_or(${assignedTo(actor)}) as decides, bool_or(submissions.submitter_id = ${actor.id}) as own,
    bool_or(submissions.state = 'WAITING' and review_states.changes_asked_on is not null) as changes_asked,
    max(review_states.assignee_id) as assignee_id,
    case when bool_and(review_summaries.submission_id is not null)
      then max(array_position(${levels}, review_summaries.level)) end as risk
  from submissions
  join packages on packages.id = submissions.package_id
  left join review_states on review_states.submission_id = submissions.id
  left join review_summaries on review_summaries.submission_id = submissions.id
  where ${condition}
  group by packages.repository_id, packages.normalized_name, packages.version_key)`;

/** Files that wait, and that the user may read: others' uploads of the same version are not for its submitter. */
const waits = (actor: Actor) => sql<boolean>`(submissions.state = 'WAITING' and not packages.deleted
  and (submissions.submitter_id = ${actor.id} or ${assignedTo(actor)}))`;

/** Files of the releases that submissions belong to. */
const sameReleases = (ids: RawBuilder<readonly number[]>) => sql<boolean>`
  (packages.repository_id, packages.normalized_name, packages.version_key) in (
    select named.repository_id, named.normalized_name, named.version_key
    from packages as named join submissions as naming on naming.package_id = named.id
    where naming.id = any(${ids}::integer[]))`;

/**
 * Releases with the submission that they are named after, and its package. Each has all of these; they are left-joined
 * so that the search for a page can do without them.
 */
const joined = (db: Db | Tx, reader: Reader, condition: RawBuilder<boolean>): Query =>
  db
    .selectFrom(grouped(reader, condition).as("release"))
    .leftJoin("submissions", (join) => join.on(sql<boolean>`submissions.id = release.id`))
    .leftJoin("packages", "packages.id", "submissions.package_id")
    .leftJoin("repositories", (join) => join.on(sql<boolean>`repositories.id = release.repository_id`))
    .leftJoin("users as submitter", (join) => join.on(sql<boolean>`submitter.id = release.submitter_id`))
    .leftJoin("users as assignee", (join) =>
      join.on(sql<boolean>`assignee.id = release.assignee_id`),
    ) as unknown as Query; // aliases are only read through `sql`

/** Of the file that the desk shows first: the first source, or else the first file. */
const shown = (column: string) => sql`(
  select ${sql.ref(`summary.${column}`)} from submissions as its
  join packages as file on file.id = its.package_id
  left join review_summaries as summary on summary.submission_id = its.id
  where its.id = any(release.files) order by file.kind = 'source' desc, its.id limit 1)`;

const latestChecks = sql`(
  select json_build_object(
    'passed', count(*) filter (where state = 'passed'), 'failed', count(*) filter (where state = 'failed'),
    'running', count(*) filter (where state in ('queued', 'running')))
  from (
    select distinct on (submission_id, name) state from review_checks
    where submission_id = any(release.files) order by submission_id, name, id desc
  ) as latest)`;

const signals = sql`(
  select json_build_object(${sql.join(
    signalLevels.map((level) => sql`${sql.lit(level)}, coalesce(max((counts ->> ${sql.lit(level)})::integer), 0)`),
  )}) from review_summaries where submission_id = any(release.files))`;

const select =
  ({ actor, now }: Reader, changes: RawBuilder<string>) =>
  (query: Query) =>
    query.select([
      sql<number>`release.id`.as("id"),
      sql<Technology>`release.technology`.as("technology"),
      sql<string>`release.name`.as("name"),
      sql<string>`packages.version`.as("version"),
      sql<Release["repository"]>`json_build_object('id', repositories.id, 'name', repositories.name)`.as("repository"),
      userRef("submitter").as("submitter"),
      sql<Date>`release.created_on`.as("submitted_on"),
      changes.as("changes"),
      sql<ReleaseFile[]>`(
        select json_agg(json_build_object('submissionId', its.id, 'packageId', file.id, 'fileName', file.file_name,
          'kind', file.kind, 'size', file.size, 'sha256', file.digest, 'level', summary.level,
          'replaced', previous.submission_id is not null)
          order by file.kind = 'source' desc, its.id)
        from submissions as its join packages as file on file.id = its.package_id
        left join review_summaries as summary on summary.submission_id = its.id
        left join previous_uploads as previous on previous.submission_id = its.id and its.state = 'WAITING'
        where its.id = any(release.files))`.as("files"),
      sql<Release["base"]>`(
        select json_build_object('packageId', base.id, 'version', base.version, 'repository', place.name)
        from packages as base join repositories as place on place.id = base.repository_id
        where base.id = ${shown("base_package_id")})`.as("base"),
      sql<ReviewLevel | null>`(${levels})[release.risk]`.as("level"),
      sql<SignalCounts>`${signals}`.as("signals"),
      sql<boolean>`exists (
        select from review_summaries where submission_id = any(release.files) and incomplete)`.as("incomplete"),
      sql<number | null>`${shown("lines_added")}`.as("lines_added"),
      sql<number | null>`${shown("lines_removed")}`.as("lines_removed"),
      sql<boolean>`release.changes_asked`.as("changes_asked"),
      sql<UserRef | null>`case when assignee.id is null then null else ${userRef("assignee")} end`.as("assignee"),
      sql<UserRef[]>`(
        select coalesce(json_agg(${userRef("other")} order by other.name, other.id), '[]')
        from users as other where other.id <> ${actor.id} and other.id in (
          select user_id from review_looks where submission_id = any(release.files) and until > ${now})
      )`.as("looking"),
      sql<boolean>`(
        select count(*) = cardinality(release.files) from review_looks
        where submission_id = any(release.files) and user_id = ${actor.id})`.as("opened"),
      sql<Release["checks"]>`${latestChecks}`.as("checks"),
      sql<number>`(
        select count(*) from review_comments
        where submission_id = any(release.files) and deleted_on is null)`.as("comments"),
      sql<boolean>`release.decides`.as("decides"),
    ]);

const columns: SortColumns<typeof reviewList> = {
  id: sql`release.id`,
  risk: sql`release.risk`,
  created: sql`release.created_on`,
  name: sql`release.name`,
};

const filtersFor = (actor: Actor): FilterConditions<typeof reviewList> => ({
  technology: (technologies) => sql`release.technology = any(${technologies})`,
  repository: (names) => sql`repositories.name = any(${names})`,
  level: (names) => sql`(${levels})[release.risk] = any(${names})`,
  search: (text) => {
    const pattern = contains(text);
    return sql`(lower(release.name) like ${pattern} or ${folded("submitter.name")} like ${pattern})`;
  },
  mine: (asked) =>
    asked
      ? sql`(release.decides and not release.changes_asked or release.own and release.changes_asked)`
      : sql`release.decides`,
  changesAsked: (asked) => sql`release.changes_asked = ${asked}`,
  assignedToMe: (asked) => sql`(release.assignee_id is not distinct from ${actor.id}) = ${asked}`,
});

export function releases(db: Db | Tx) {
  return {
    /** Waiting releases that the user may decide on, or, with `mine`, that wait for the user. */
    async find(query: ListQuery<typeof reviewList>, reader: Reader): Promise<Found<Release & { text_limit: number }>> {
      const limit = textLimit({ texts: ["submissions.changes"], objects: [] }, query.size);
      const seen = query.filters.mine === undefined ? [sql<boolean>`release.decides`] : [];
      const changes = shortText<string>("submissions.changes", limit);
      const waiting = waits(reader.actor);
      // Its tables depend on who asks, so its statements cannot be built once.
      const page = pagedList<typeof reviewList, Tables, Release & { text_limit: number }>({
        tables: (db) => joined(db, reader, waiting),
        rowsOf: (db, ids) => joined(db, reader, sql<boolean>`${waiting} and ${sameReleases(ids)}`),
        columns,
        id: columns.id,
        select: (rows: Query) => select(reader, changes)(rows).select(limit.as("text_limit")),
      });
      const found = await page({
        db,
        query,
        filters: filtersFor(reader.actor),
        conditions: [...readable(reader.actor, sql`release.repository_id`), ...seen],
      });
      return { ...found, textLimit: found.rows[0]?.text_limit };
    },

    /** The release of these submissions. */
    async ofFiles(files: readonly number[], reader: Reader): Promise<Release | undefined> {
      const its = sql<boolean>`submissions.id = any(${files}::integer[])`;
      return select(reader, sql<string>`submissions.changes`)(joined(db, reader, its)).executeTakeFirst();
    },
  };
}
