import type { SubmissionState } from "@packhouse/contract/references";
import { type Comparison, comparison } from "@packhouse/contract/review/comparison";
import { type Inspection, inspection } from "@packhouse/contract/review/inspection";
import type { ReviewLevel, SignalCounts } from "@packhouse/contract/review/release";
import type { Technology } from "@packhouse/contract/technology";
import { type RawBuilder, sql } from "kysely";
import type { Db, Tx } from "../../../platform/db/database.ts";
import { builtOnce } from "../../../platform/db/statements/built-once.ts";
import { isOneOfTexts } from "../../../platform/db/statements/is-one-of.ts";
import { storedJson } from "../../../platform/db/stored-json.ts";
import { reviewersNeed } from "../../../platform/storage/named-object-store.ts";

/** A package as far as its inspection needs it. */
export interface InspectedPackage {
  id: number;
  repositoryId: number;
  repository: string;
  technology: Technology;
  name: string;
  normalizedName: string;
  version: string;
  versionKey: string;
  versionOrder: string;
  kind: "source" | "binary";
  target: string;
  fileName: string;
  digest: string;
  size: number;
  replacesId: number | null;
  mirror: string | null;
  active: boolean;
  deleted: boolean;
  state: SubmissionState;
  submitterId: number;
  submitter: string;
}

/** What lists show of the comparison with the usual base. */
export interface ReviewSummary {
  baseId: number | null;
  level: ReviewLevel;
  counts: SignalCounts;
  incomplete: boolean;
  linesAdded: number;
  linesRemoved: number;
}

/** Files of one name that are candidates for a base. */
const mostCandidates = 20_000;

const packagesToInspect = (db: Db | Tx) =>
  db
    .selectFrom("packages")
    .innerJoin("submissions", "submissions.package_id", "packages.id")
    .innerJoin("repositories", "repositories.id", "packages.repository_id")
    .innerJoin("users", "users.id", "submissions.submitter_id")
    .select([
      "packages.id",
      "packages.repository_id as repositoryId",
      "repositories.name as repository",
      "packages.technology",
      "packages.name",
      "packages.normalized_name as normalizedName",
      "packages.version",
      "packages.version_key as versionKey",
      "packages.version_order as versionOrder",
      "packages.kind",
      "packages.target",
      "packages.file_name as fileName",
      "packages.digest",
      "packages.size",
      "packages.replaces_id as replacesId",
      "packages.mirror",
      "packages.active",
      "packages.deleted",
      "submissions.state",
      "submissions.submitter_id as submitterId",
      "users.name as submitter",
    ]);

const packageToInspect = builtOnce<{ id: number }, InspectedPackage>((db, value) =>
  packagesToInspect(db).where("packages.id", "=", value("id")),
);

const acceptedOfName = builtOnce<{ repositoryId: number; normalizedName: string }, InspectedPackage>((db, value) =>
  packagesToInspect(db)
    .where("packages.repository_id", "=", value("repositoryId"))
    .where("packages.normalized_name", "=", value("normalizedName"))
    .where("packages.active", "=", true)
    .where("packages.deleted", "=", false)
    .where("submissions.state", "=", "ACCEPTED")
    .orderBy("packages.version_order", "desc")
    .orderBy("packages.id")
    .limit(mostCandidates),
);

/** Whether these are bytes of a package, or those that a waiting file has replaced. */
const isExamined = (digest: RawBuilder<unknown>) => sql<boolean>`(
  exists (select from packages where packages.digest = ${digest})
  or exists (select from previous_uploads where previous_uploads.digest = ${digest} and ${sql.raw(reviewersNeed)}))`;

export function inspectionStore(db: Db | Tx) {
  return {
    package: async (id: number): Promise<InspectedPackage | undefined> => (await packageToInspect(db, { id }))[0],

    /** Accepted files of the same name in the same repository. */
    accepted: (it: InspectedPackage): Promise<InspectedPackage[]> => acceptedOfName(db, it),

    /** The source of the same release, waiting or accepted: the newest of several. */
    sourceOf: (it: InspectedPackage): Promise<InspectedPackage | undefined> =>
      packagesToInspect(db)
        .where("packages.repository_id", "=", it.repositoryId)
        .where("packages.normalized_name", "=", it.normalizedName)
        .where("packages.version_key", "=", it.versionKey)
        .where("packages.kind", "=", "source")
        .where("packages.deleted", "=", false)
        .where("packages.id", "<>", it.id)
        .where("submissions.state", "in", ["ACCEPTED", "WAITING"])
        .orderBy("packages.id", "desc")
        .limit(1)
        .executeTakeFirst(),

    /** What a waiting file has replaced, as if it were the same package; undefined if it has replaced nothing. */
    async previousUploadOf(it: InspectedPackage): Promise<InspectedPackage | undefined> {
      if (it.state !== "WAITING") return undefined;
      const row = await db
        .selectFrom("previous_uploads")
        .innerJoin("submissions", "submissions.id", "previous_uploads.submission_id")
        .select(["digest", "size", "file_name as fileName"])
        .where("submissions.package_id", "=", it.id)
        .executeTakeFirst();
      return row && { ...it, ...row };
    },

    /** Undefined where this inspector has made none. */
    async inspection(digest: string, inspector: number): Promise<Inspection | undefined> {
      const row = await db
        .selectFrom("inspections")
        .select("inspection")
        .where("digest", "=", digest)
        .where("inspector", "=", inspector)
        .executeTakeFirst();
      return row && inspection.safeParse(row.inspection).data;
    },

    async saveInspection(digest: string, it: Inspection, at: Date): Promise<void> {
      const row = { technology: it.technology, inspector: it.inspector, inspection: storedJson(it), made_on: at };
      await db
        .insertInto("inspections")
        .values({ digest, ...row })
        .onConflict((same) => same.column("digest").doUpdateSet(row))
        .execute();
    },

    async comparison(digest: string, baseDigest: string, inspector: number): Promise<Comparison | undefined> {
      const row = await db
        .selectFrom("comparisons")
        .select("comparison")
        .where("digest", "=", digest)
        .where("base_digest", "=", baseDigest)
        .where("inspector", "=", inspector)
        .executeTakeFirst();
      return row && comparison.safeParse(row.comparison).data;
    },

    async saveComparison(digest: string, baseDigest: string, it: Comparison, at: Date): Promise<void> {
      const row = { inspector: it.inspector, comparison: storedJson(it), made_on: at };
      await db
        .insertInto("comparisons")
        .values({ digest, base_digest: baseDigest, ...row })
        .onConflict((same) => same.columns(["digest", "base_digest"]).doUpdateSet(row))
        .execute();
    },

    /** Those of an archive that has been inspected again. */
    async forgetComparisons(digest: string): Promise<void> {
      await db
        .deleteFrom("comparisons")
        .where((row) => row.or([row("digest", "=", digest), row("base_digest", "=", digest)]))
        .execute();
    },

    /** Does nothing if the submission is gone. */
    async saveSummary(packageId: number, it: ReviewSummary, at: Date): Promise<void> {
      await sql`
        insert into review_summaries
          (submission_id, level, counts, lines_added, lines_removed, incomplete, base_package_id, made_on)
        select id, ${it.level}, ${storedJson(it.counts)}::jsonb, ${it.linesAdded}::integer, ${it.linesRemoved}::integer,
          ${it.incomplete}::boolean, (select id from packages where id = ${it.baseId}::integer), ${at}::timestamptz
        from submissions where package_id = ${packageId}
        on conflict (submission_id) do update set level = excluded.level, counts = excluded.counts,
          lines_added = excluded.lines_added, lines_removed = excluded.lines_removed, incomplete = excluded.incomplete,
          base_package_id = excluded.base_package_id, made_on = excluded.made_on`.execute(db);
    },

    /** Waiting packages beyond an id whose summary is missing, or is not based on what this inspector found. */
    async waiting(afterId: number, inspector: number, most: number): Promise<number[]> {
      const { rows } = await sql<{ id: number }>`
        select packages.id from packages join submissions on submissions.package_id = packages.id
        where packages.id > ${afterId} and not packages.deleted and submissions.state = 'WAITING'
          and not exists (
            select from review_summaries as summary
            left join packages as base on base.id = summary.base_package_id
            join comparisons on comparisons.digest = packages.digest
              and comparisons.base_digest = coalesce(base.digest, '') and comparisons.inspector = ${inspector}
            where summary.submission_id = submissions.id)
        order by packages.id limit ${most}`.execute(db);
      return rows.map(({ id }) => id);
    },

    /** Other waiting packages with the names of some: what is accepted may become their base. */
    async waitingOfNames(
      repositoryId: number,
      some: readonly { id: number; normalized_name: string }[],
    ): Promise<number[]> {
      const rows = await db
        .selectFrom("packages")
        .innerJoin("submissions", "submissions.package_id", "packages.id")
        .select("packages.id")
        .where("repository_id", "=", repositoryId)
        .where(
          isOneOfTexts(
            "normalized_name",
            some.map((it) => it.normalized_name),
          ),
        )
        .where("submissions.state", "=", "WAITING")
        .where("packages.deleted", "=", false)
        .where(sql<boolean>`packages.id <> all(${some.map(({ id }) => id)}::integer[])`)
        .execute();
      return rows.map((row) => row.id);
    },

    /** Removes what was found in bytes that no package has any more; returns how much. */
    async sweep(): Promise<number> {
      const { numAffectedRows: comparisons = 0n } = await sql`
        delete from comparisons where not ${isExamined(sql`comparisons.digest`)}
          or base_digest <> '' and not ${isExamined(sql`base_digest`)}`.execute(db);
      const { numAffectedRows: inspections = 0n } = await sql`
        delete from inspections where not ${isExamined(sql`inspections.digest`)}`.execute(db);
      return Number(comparisons + inspections);
    },
  };
}
