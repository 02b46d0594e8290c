import type { Clock } from "../../platform/clock.ts";
import type { Db } from "../../platform/db/database.ts";
import type { ObjectStorage } from "../../platform/storage/storage.ts";
import type { Finding, Report } from "./finding.ts";
import type { Repairs } from "./repairs.ts";
import { verifyCounts } from "./verify-counts.ts";
import { verifyIndexes } from "./verify-index.ts";
import { verifyObjects } from "./verify-objects.ts";

export interface Verification {
  /** Reads all bytes, too, instead of only their sizes. */
  deep: boolean;
  /** Repairs what can be; without them nothing is changed. */
  repairs: Repairs | undefined;
  /** How long a render may be pending until it counts as forgotten. */
  renderTimeoutMs?: number;
}

export interface Summary {
  objects: number;
  repositories: number;
  repaired: number;
  /** Findings that remain. */
  left: number;
}

/**
 * Compares database, storage and index while servers run. After repairs it checks once more what they were about, so
 * that only what holds counts as repaired.
 */
export async function verify(
  deps: { db: Db; storage: ObjectStorage; clock: Clock },
  { deep, repairs, renderTimeoutMs = 15_000 }: Verification,
  report: Report,
): Promise<Summary> {
  const counts = { repaired: 0, left: 0 };
  const countAndReport = (finding: Finding) => {
    counts[finding.repaired ? "repaired" : "left"] += 1;
    report(finding);
  };
  const checking = { ...deps, repairs, report: countAndReport };
  const objects = await verifyObjects(checking, deep);
  await repairs?.awaitRenders();
  const repositories = await verifyIndexes(checking, renderTimeoutMs);
  await repairs?.awaitRenders();
  await verifyCounts(checking);
  if (counts.repaired > 0) {
    await repairs?.sweep();
    await verifyIndexes({ ...checking, repairs: undefined }, renderTimeoutMs);
  }
  return { objects, repositories, ...counts };
}
