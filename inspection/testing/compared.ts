import type { Inspection } from "@packhouse/contract/review/inspection";
import { compareArchives } from "../compare-archives.ts";
import { inspect } from "../inspect.ts";
import { inspectorVersion } from "../inspector-version.ts";
import type { SamplePackage } from "./packages.ts";

/** An inspection that found nothing but what is given. */
export const inspection = (changes: Partial<Inspection> = {}): Inspection => ({
  ...{ inspector: inspectorVersion, technology: "Python", name: "tides", version: "1.0.0", files: [], fields: [] },
  ...{ spdx: null, dependencies: [], interface: [], signals: [], indicators: [], incomplete: [] },
  ...changes,
});

/** Two archives, inspected and compared. */
export async function compared(before: SamplePackage | null, after: SamplePackage) {
  const archiveOf = async ({ source, ...what }: SamplePackage) => ({
    source,
    fileName: what.fileName,
    inspection: await inspect(source, what),
  });
  return compareArchives(before && (await archiveOf(before)), await archiveOf(after));
}
