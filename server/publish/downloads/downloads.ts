import type { PackageDownloads } from "@packhouse/contract/packages";
import type { Technology } from "@packhouse/contract/technology";

/** A downloaded package file. */
export interface DownloadedFile {
  repository: { id: number; name: string; technology: Technology };
  /** Whether everyone may download it without signing in. */
  open: boolean;
  /** Normalized name of its package. */
  package: string;
  /** SHA-256 of the file. */
  digest: string;
}

const dayMs = 86_400_000;
const shownDays = 30;

/** The day of an instant (UTC), as `2026-11-21`. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** The first of the days shown. */
export const firstShownDay = (now: Date): string => dayOf(new Date(now.getTime() - (shownDays - 1) * dayMs));

/** The counts, including days without downloads. */
export function shownDownloads(total: number, counted: ReadonlyMap<string, number>, now: Date): PackageDownloads {
  const perDay = Array.from({ length: shownDays }, (_, index) => {
    const date = dayOf(new Date(now.getTime() - (shownDays - 1 - index) * dayMs));
    return { date, count: counted.get(date) ?? 0 };
  });
  return { total, last30Days: perDay.reduce((sum, { count }) => sum + count, 0), perDay };
}
