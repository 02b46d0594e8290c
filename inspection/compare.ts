import type { Comparison, FieldChange } from "@packhouse/contract/review/comparison";
import type { Inspection } from "@packhouse/contract/review/inspection";
import { comparedSignals } from "./comparison/comparison-rules.ts";
import { compareDependencies } from "./comparison/dependencies.ts";
import { compareFiles, type TextChanges } from "./comparison/files.ts";
import { compareInterfaces } from "./comparison/interface.ts";
import { compareSignals } from "./comparison/signals.ts";

/**
 * One release against another; without a base everything counts as added. The numbers of changed lines and similar
 * files under new names are known only to those who have both archives: `compareArchives`.
 */
export function compare(before: Inspection | null, after: Inspection, texts?: TextChanges): Comparison {
  const files = compareFiles(before, after, texts);
  const dependencies = compareDependencies(before, after);
  const compared = compareInterfaces(before, after);
  const signals = before ? comparedSignals({ before, after, dependencies, files, interface: compared }) : [];
  const written = files.filter(({ generated }) => !generated);
  const earlier = new Map(before?.indicators.map(({ id, value }) => [id, value]));
  return {
    inspector: after.inspector,
    files,
    added: written.reduce((sum, { added }) => sum + (added ?? 0), 0),
    removed: written.reduce((sum, { removed }) => sum + (removed ?? 0), 0),
    fields: compareFields(before, after),
    dependencies,
    interface: compared,
    signals: compareSignals(before, after, signals),
    indicators: after.indicators.map((indicator) => ({ ...indicator, before: earlier.get(indicator.id) ?? null })),
  };
}

/** In the order of the new release, then those that are gone. */
function compareFields(before: Inspection | null, after: Inspection): FieldChange[] {
  const [old, now] = [before, after].map((side) => new Map(side?.fields.map(({ name, value }) => [name, value])));
  const names = new Set([...(now?.keys() ?? []), ...(old?.keys() ?? [])]);
  return [...names]
    .map((name) => ({ name, before: old?.get(name) ?? null, after: now?.get(name) ?? null }))
    .filter((change) => change.before !== change.after);
}
