import type { ReviewLevel, SignalCounts } from "@packhouse/contract/review/release";
import { sql } from "kysely";
import type { Db, Tx } from "../../platform/db/database.ts";

/** What the list of releases shows of the comparison of one file. */
export interface ReviewSummary {
  /** The highest level of what is new against the base. */
  level: ReviewLevel;
  counts: SignalCounts;
  linesAdded: number;
  linesRemoved: number;
  /** Not everything was examined; `level` counts that already. */
  incomplete: boolean;
  /** What it was compared with; null without a base. */
  basePackageId: number | null;
}

/** Keeps the summary of a submission's default comparison, over an earlier one. False if the submission is gone. */
export async function keepSummary(
  db: Db | Tx,
  submissionId: number,
  { summary, at }: { summary: ReviewSummary; at: Date },
): Promise<boolean> {
  const { counts, linesAdded, linesRemoved } = summary;
  const { numAffectedRows } = await sql`
    insert into review_summaries
      (submission_id, level, counts, lines_added, lines_removed, incomplete, base_package_id, made_on)
    select id, ${summary.level}, ${JSON.stringify(counts)}::jsonb, ${linesAdded}, ${linesRemoved},
      ${summary.incomplete}, (select id from packages where id = ${summary.basePackageId} for key share), ${at}
    from submissions where id = ${submissionId} for key share
    on conflict (submission_id) do update
    set (level, counts, lines_added, lines_removed, incomplete, base_package_id, made_on) = (
      excluded.level, excluded.counts, excluded.lines_added, excluded.lines_removed, excluded.incomplete,
      excluded.base_package_id, excluded.made_on)`.execute(db);
  return (numAffectedRows ?? 0n) > 0n;
}
