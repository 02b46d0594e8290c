import type { Comparison } from "@packhouse/contract/review/comparison";
import type { Inspection, Signal } from "@packhouse/contract/review/inspection";
import { signalLevels, signalRules } from "@packhouse/contract/review/signals";

/** Bytes of what is stored about one archive, or about two. */
const mostBytes = 2_000_000;
/** Characters of one metadata field. */
const longestField = 20_000;

/** What could not be examined counts as a warning in itself. */
export const incompleteSignal = (subject: string): Signal => ({
  id: "incomplete",
  level: signalRules.incomplete.level,
  subject,
  file: null,
  line: null,
  excerpt: null,
});

export const bySeverity = (a: Signal, b: Signal): number =>
  signalLevels.indexOf(b.level) - signalLevels.indexOf(a.level);

/** The inspection with its longest lists cut until it can be stored; then it says that it is incomplete. */
export function boundedInspection(it: Inspection, most: number = mostBytes): Inspection {
  const fields = it.fields.map(({ name, value }) => ({ name, value: value.slice(0, longestField) }));
  const whole = { ...it, fields };
  if (bytesOf(whole) <= most) return whole;
  const reason = "size";
  const signals = [incompleteSignal(reason), ...it.signals.filter(({ id }) => id !== "incomplete").sort(bySeverity)];
  return {
    ...whole,
    ...withShortLists(
      { files: it.files, interface: it.interface, fields, dependencies: it.dependencies, signals },
      most,
    ),
    incomplete: [...it.incomplete.slice(0, 100), { reason, paths: [] }],
  };
}

/** The same for a comparison. Its sums are those of the whole. */
export function boundedComparison(it: Comparison, most: number = mostBytes): Comparison {
  if (bytesOf(it) <= most) return it;
  const { fresh, gone, unchanged } = it.signals;
  const { changes, ...lists } = withShortLists(
    {
      files: it.files,
      fields: it.fields,
      dependencies: it.dependencies,
      changes: it.interface.changes,
      fresh: [incompleteSignal("size"), ...fresh.filter(({ id }) => id !== "incomplete").sort(bySeverity)],
      gone,
      unchanged,
    },
    most,
  );
  return {
    ...it,
    files: lists.files,
    fields: lists.fields,
    dependencies: lists.dependencies,
    interface: { ...it.interface, changes },
    signals: { fresh: lists.fresh, gone: lists.gone, unchanged: lists.unchanged },
  };
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** Halves the list that takes most space until all of them fit, with room for the rest. */
function withShortLists<Lists extends Record<string, readonly unknown[]>>(lists: Lists, most: number): Lists {
  const short: Record<string, readonly unknown[]> = { ...lists };
  const sizes = new Map(Object.entries(short).map(([name, list]) => [name, bytesOf(list)]));
  const total = () => [...sizes.values()].reduce((sum, size) => sum + size, 0);
  while (total() > most * 0.9) {
    const [name = ""] = [...sizes].sort(([, a], [, b]) => b - a)[0] ?? [];
    const list = short[name] ?? [];
    const half = list.slice(0, Math.floor(list.length / 2));
    short[name] = half;
    sizes.set(name, bytesOf(half));
    if (half.length === 0 && [...sizes.values()].every((size) => size <= 2)) break;
  }
  return short as Lists; // the same lists, each with its own beginning
}
