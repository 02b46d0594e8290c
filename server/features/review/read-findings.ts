import type { Sent } from "@packhouse/contract/answer";
import type { review } from "@packhouse/contract/review/review";
import type { Actor } from "../../http/actor.ts";
import { submissions } from "../submissions/store.ts";
import type { ReviewDeps } from "./deps.ts";
import { findBase } from "./find-base.ts";
import { findImpact } from "./impact/find-impact.ts";
import { isTakenDown } from "./reviewed/check-review.ts";

type Findings = Pick<Sent<typeof review>, "comparison" | "impact" | "indicators">;

export const noFindings: Findings = { comparison: null, impact: null, indicators: null };

/** What the archive of a submission shows, as far as it has been inspected, and what changes for clients. */
export async function readFindings(
  deps: Pick<ReviewDeps, "db" | "inspections" | "storage" | "workers">,
  actor: Actor,
  submissionId: number,
  asked: string | undefined,
): Promise<Findings> {
  const row = await submissions(deps.db).byId(submissionId);
  const it = row && (await deps.inspections.package(row.id));
  if (!it || !row || isTakenDown(it)) return noFindings;
  const base = await findBase(deps, actor, it, asked);
  const [comparison = null, impact] = await Promise.all([
    deps.inspections.comparisonSoon(it, base, actor.id),
    findImpact(deps, actor, row),
  ]);
  const indicators = comparison?.indicators.map(({ before: _, ...indicator }) => indicator) ?? null;
  return { comparison, impact, indicators };
}
