import { isBreaking } from "@packhouse/contract/review/breaking";
import type { Breakage, Comparison, InterfaceChange } from "@packhouse/contract/review/comparison";
import type { Inspection, InterfaceEntry, Parameter } from "@packhouse/contract/review/inspection";
import { formatOf } from "@packhouse/formats/format";

type Break = InterfaceChange["breaks"][number];

/** What users of the package can call, before and now. */
export function compareInterfaces(before: Inspection | null, after: Inspection): Comparison["interface"] {
  const claim = claimOf(before, after);
  if (!before) {
    const changes = after.interface.map((entry) => ({
      change: "added" as const,
      before: null,
      after: entry,
      breaks: [],
    }));
    return { changes, unchanged: 0, result: "new", claim };
  }
  const [old, now] = [byName(before.interface), byName(after.interface)];
  const changes: InterfaceChange[] = [];
  let unchanged = 0;
  for (const [name, entry] of now) {
    const previous = old.get(name);
    const breaks = previous ? breaksOf(previous, entry) : [];
    if (previous && breaks.length === 0 && isSame(previous, entry)) unchanged += 1;
    else changes.push({ change: previous ? "changed" : "added", before: previous ?? null, after: entry, breaks });
  }
  for (const [name, entry] of old)
    if (!now.has(name))
      changes.push({ change: "removed", before: entry, after: null, breaks: [{ why: "removed", parameter: null }] });
  // Nothing of one side was found, although there is something on the other: its code could not be read.
  const isUnknown = (side: Inspection) => side.interface.length === 0 && side.incomplete.length > 0;
  const result = isUnknown(before) || isUnknown(after) ? "unknown" : resultOf(changes);
  return { changes: changes.sort(breakingFirst), unchanged, result, claim };
}

/** The first of several definitions with one name. */
function byName(entries: readonly InterfaceEntry[]): Map<string, InterfaceEntry> {
  const named = new Map<string, InterfaceEntry>();
  for (const entry of entries) if (!named.has(entry.name)) named.set(entry.name, entry);
  return named;
}

const breakingFirst = (a: InterfaceChange, b: InterfaceChange): number => Number(isBreaking(b)) - Number(isBreaking(a));

function resultOf(changes: readonly InterfaceChange[]): "breaking" | "features" | "compatible" {
  if (changes.some(isBreaking)) return "breaking";
  return changes.some(({ change, before, after }) => change === "added" || hasMoreParameters(before, after))
    ? "features"
    : "compatible";
}

const hasMoreParameters = (before: InterfaceEntry | null, after: InterfaceEntry | null): boolean =>
  (after?.parameters?.length ?? 0) > (before?.parameters?.length ?? 0);

function isSame(before: InterfaceEntry, after: InterfaceEntry): boolean {
  const signature = ({ kind, parameters }: InterfaceEntry) =>
    JSON.stringify([
      kind,
      parameters?.map((one) => [one.name, one.kind, squeezed(one.default), squeezed(one.annotation)]),
    ]);
  return signature(before) === signature(after);
}

/** Without blanks, which formatters change. */
const squeezed = (code: string | null): string | null => code?.replace(/\s+/g, "") ?? null;

/** Why calls that were written for one definition may not work with another. */
function breaksOf(before: InterfaceEntry, after: InterfaceEntry): Break[] {
  if (before.kind !== after.kind && !(isCalled(before) && isCalled(after)) && !mayBeSame(before, after))
    return [{ why: "kind-changed", parameter: null }];
  if (!before.parameters || !after.parameters) return [];
  return parameterBreaks(before.parameters, after.parameters);
}

const called = new Set<InterfaceEntry["kind"]>(["function", "class", "method", "s3-method", "s4-method"]);
const isCalled = ({ kind }: InterfaceEntry): boolean => called.has(kind);

/** An object may be anything that is called: `fit = wrapped(_fit)`. Of methods, it is a property, which is not. */
const mayBeSame = (before: InterfaceEntry, after: InterfaceEntry): boolean =>
  [before, after].some(({ kind }) => kind === "object") && ![before, after].some(({ kind }) => kind === "method");

const isPositional = ({ kind }: Parameter): boolean => kind === "any" || kind === "positional-only";
const isCollecting = ({ kind }: Parameter): boolean => kind === "rest" || kind === "keywords";

function parameterBreaks(before: readonly Parameter[], after: readonly Parameter[]): Break[] {
  const breaks: Break[] = [];
  const add = (why: Breakage, parameter: string) => breaks.push({ why, parameter });
  const now = new Map(after.map((parameter) => [parameter.name, parameter]));
  const old = new Map(before.map((parameter) => [parameter.name, parameter]));
  const renamed = renamedParameters(before, after, now, old);
  for (const parameter of before) {
    if (isCollecting(parameter)) {
      if (!after.some(({ kind }) => kind === parameter.kind)) add("parameter-removed", parameter.name);
      continue;
    }
    const other = now.get(parameter.name) ?? renamed.get(parameter.name);
    if (!other) add("parameter-removed", parameter.name);
    else {
      if (other.name !== parameter.name && parameter.kind !== "positional-only")
        add("parameter-renamed", parameter.name);
      if (parameter.default !== null && other.default === null && !isCollecting(other))
        add("parameter-required", other.name);
      else if (
        other.default !== null &&
        parameter.default !== null &&
        squeezed(parameter.default) !== squeezed(other.default)
      )
        add("default-changed", other.name);
      if (isPositional(parameter) && other.kind === "keyword-only") add("kind-changed", other.name);
    }
  }
  const taken = new Set([...renamed.values()].map(({ name }) => name));
  for (const parameter of after)
    if (
      !old.has(parameter.name) &&
      !taken.has(parameter.name) &&
      parameter.default === null &&
      !isCollecting(parameter)
    )
      add("parameter-required", parameter.name);
  const moved = firstMoved(before, after, renamed);
  if (moved !== undefined) add("parameters-reordered", moved);
  return breaks;
}

/** A parameter that is gone, and the new one in its place with the same default. */
function renamedParameters(
  before: readonly Parameter[],
  after: readonly Parameter[],
  now: ReadonlyMap<string, Parameter>,
  old: ReadonlyMap<string, Parameter>,
): Map<string, Parameter> {
  const renamed = new Map<string, Parameter>();
  for (const [index, parameter] of before.entries()) {
    const other = after[index];
    if (now.has(parameter.name) || !other || old.has(other.name) || isCollecting(parameter)) continue;
    if (other.kind === parameter.kind && squeezed(other.default) === squeezed(parameter.default))
      renamed.set(parameter.name, other);
  }
  return renamed;
}

/**
 * The first parameter that arguments without names no longer reach. Parameters with defaults are usually given by
 * name, so a new one before them breaks little; only their order among themselves counts.
 */
function firstMoved(
  before: readonly Parameter[],
  after: readonly Parameter[],
  renamed: ReadonlyMap<string, Parameter>,
): string | undefined {
  const names = before.filter(isPositional).map(({ name }) => renamed.get(name)?.name ?? name);
  const positional = after.filter(isPositional).map(({ name }) => name);
  const kept = names.filter((name) => positional.includes(name));
  const order = positional.filter((name) => names.includes(name));
  const swapped = kept.find((name, index) => order[index] !== name);
  if (swapped !== undefined) return swapped;
  const required = before.filter((parameter) => isPositional(parameter) && parameter.default === null);
  return required
    .map(({ name }) => renamed.get(name)?.name ?? name)
    .find((name) => positional.indexOf(name) > names.indexOf(name));
}

/** What the version numbers promise, by the first number that differs. */
function claimOf(before: Inspection | null, after: Inspection): Comparison["interface"]["claim"] {
  if (!before) return "new";
  const { compareVersions, isVersion } = formatOf(after.technology);
  if (isVersion(before.version) && isVersion(after.version)) {
    const order = compareVersions(before.version, after.version);
    if (order === 0) return "same";
    if (order > 0) return "lower";
  } else if (before.version === after.version) return "same";
  const [old, now] = [numbersOf(before.version), numbersOf(after.version)];
  const first = now.findIndex((number, index) => number !== (old[index] ?? 0));
  return first === 0 ? "major" : first === 1 ? "minor" : "patch";
}

/** The numbers a version begins with. */
export const numbersOf = (version: string): number[] =>
  (
    /^v?[0-9]{1,9}(?:[.-][0-9]{1,9}){0,9}/.exec(
      version.includes("!") ? version.slice(version.indexOf("!") + 1) : version,
    )?.[0] ?? ""
  )
    .replace("v", "")
    .split(/[.-]/)
    .filter(Boolean)
    .map(Number);
