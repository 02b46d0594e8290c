import { mirrorSkip, mostReported } from "@packhouse/contract/mirrors";
import { z } from "zod";

/** A package, or all that match a pattern, that a mirror is to fetch. */
export const selector = z.strictObject({
  /** `*` stands for any characters. */
  name: z.string().min(1),
  /** Null: the newest. */
  version: z.string().min(1).nullable(),
  generateManuals: z.boolean(),
});
export type PackageSelector = z.infer<typeof selector>;

/** What a mirror fetches; null is everything. */
export const selectors = z.array(selector).nullable();
export type PackageSelectors = z.infer<typeof selectors>;

/** Digests by which an index may name a file, most trusted first. */
export const digestNames = ["sha256", "sha512", "sha384", "sha224", "sha1", "md5"] as const;

/** A wanted file that a mirror's index offers. */
export const wantedFile = z.object({
  name: z.string(),
  version: z.string(),
  fileName: z.string(),
  address: z.string(),
  /** Size and digest according to the index; null where it has none. */
  digest: z.object({ name: z.enum(digestNames), value: z.string() }).nullable(),
  /** Whether other bytes upstream replace those that are here under the same version. */
  followsUpstream: z.boolean(),
  generateManuals: z.boolean(),
});
export type WantedFile = z.infer<typeof wantedFile>;

/** What is wanted of a project of an index, and what is unavailable. */
export const wantedOfProject = z.object({
  files: z.array(wantedFile),
  /** The first ones. */
  skipped: z.array(mirrorSkip),
  /** Missing in what earlier versions stored. */
  skippedCount: z.int().optional(),
});
export type WantedOfProject = z.infer<typeof wantedOfProject>;

/** What is already here of a package. */
export interface PresentFile {
  versionKey: string;
  kind: "source" | "binary";
  fileName: string;
  digests: Readonly<Record<string, string>>;
}

export const isPattern = (name: string): boolean => name.includes("*");

/** The selectors that a name matches; a spelled-out name counts before any pattern. */
export function selectorsFor(
  name: string,
  selected: readonly PackageSelector[],
  normalize: (name: string) => string,
): PackageSelector[] {
  const own = normalize(name);
  const exact = selected.filter((it) => !isPattern(it.name) && normalize(it.name) === own);
  if (exact.length > 0) return exact;
  const byPattern = selected.find((it) => isPattern(it.name) && fits(own, normalizedPattern(it.name, normalize)));
  return byPattern ? [byPattern] : [];
}

const normalizedPattern = (pattern: string, normalize: (name: string) => string): string =>
  pattern
    .split("*")
    .map((part) => (part === "" ? "" : normalize(part)))
    .join("*");

/** Whether a text matches a pattern with `*`; in linear time, whatever the pattern. */
function fits(text: string, pattern: string): boolean {
  const [first = "", ...others] = pattern.split("*");
  const last = others.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false;
  let from = first.length;
  for (const part of others) {
    const at = text.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return from <= text.length - last.length;
}

/** A list of a run: the first items are kept, all are counted. A broken upstream has as many errors as packages. */
export class Reported<Item> {
  readonly kept: Item[] = [];
  count = 0;

  /** `count` is higher than the number of items where only the first ones are known. */
  add(items: readonly Item[], count = items.length): void {
    this.kept.push(...items.slice(0, mostReported - this.kept.length));
    this.count += count;
  }
}

const longestError = 500;

/** The errors of a run, limited; `count` is how many there were. */
export function boundedErrors(errors: readonly string[], count = errors.length): string[] {
  const kept = errors
    .slice(0, mostReported)
    .map((text) => (text.length > longestError ? `${text.slice(0, longestError)}…` : text));
  const left = count - kept.length;
  return left > 0 ? [...kept, `and ${left} more`] : kept;
}
