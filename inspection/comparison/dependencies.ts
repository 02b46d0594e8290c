import type { DependencyChange } from "@packhouse/contract/review/comparison";
import type { DeclaredDependency, Inspection } from "@packhouse/contract/review/inspection";
import { formatOf } from "@packhouse/formats/format";
import type { PackageFormat } from "@packhouse/formats/package-format";
import { numbersOf } from "./interface.ts";

/** The dependencies that differ, by name. */
export function compareDependencies(before: Inspection | null, after: Inspection): DependencyChange[] {
  const format = formatOf(after.technology);
  const [old, now] = [byName(before?.dependencies ?? [], format), byName(after.dependencies, format)];
  const names = [...new Set([...old.keys(), ...now.keys()])].sort();
  return names.flatMap((name) => changesOf(old.get(name) ?? [], now.get(name) ?? [], format));
}

/** Those of one name, with several bounds in one field as one. */
function byName(dependencies: readonly DeclaredDependency[], format: PackageFormat): Map<string, DeclaredDependency[]> {
  const named = new Map<string, Map<string, DeclaredDependency>>();
  for (const dependency of dependencies) {
    const name = format.normalizeName(dependency.name);
    const declared = named.get(name) ?? new Map<string, DeclaredDependency>();
    const place = JSON.stringify([dependency.field, squeezed(dependency.condition)]);
    const same = declared.get(place);
    const constraint = [same?.constraint, dependency.constraint].filter(Boolean).join(", ");
    declared.set(place, { ...(same ?? dependency), constraint });
    named.set(name, declared);
  }
  return new Map([...named].map(([name, declared]) => [name, [...declared.values()]]));
}

const squeezed = (text: string): string => text.replace(/\s+/g, "").replaceAll("'", '"');

function changesOf(
  before: readonly DeclaredDependency[],
  after: readonly DeclaredDependency[],
  format: PackageFormat,
): DependencyChange[] {
  const isSamePlace = (a: DeclaredDependency) => (b: DeclaredDependency) =>
    a.field === b.field && squeezed(a.condition) === squeezed(b.condition);
  const stayed = after.flatMap((now) => {
    const old = before.find(isSamePlace(now));
    const change = old && constraintChange(old.constraint, now.constraint, format);
    return old && change ? [{ name: now.name, change, before: old, after: now }] : [];
  });
  const gone = before.filter((old) => !after.some(isSamePlace(old)));
  const fresh = after.filter((now) => !before.some(isSamePlace(now)));
  const moved = fresh.slice(0, gone.length).map((now, index) => ({
    name: now.name,
    change: "moved" as const,
    before: gone[index] ?? null,
    after: now,
  }));
  return [
    ...stayed,
    ...moved,
    ...fresh.slice(gone.length).map((now) => ({ name: now.name, change: "added" as const, before: null, after: now })),
    ...gone
      .slice(fresh.length)
      .map((old) => ({ name: old.name, change: "removed" as const, before: old, after: null })),
  ];
}

/** How the versions that a constraint allows have changed; undefined if they have not. */
function constraintChange(
  before: string,
  after: string,
  format: PackageFormat,
): "tightened" | "loosened" | "changed" | undefined {
  const parts = (constraint: string) => constraint.split(",").map(squeezed).sort().join(",");
  if (parts(before) === parts(after)) return undefined;
  const allows = (constraint: string, version: string) =>
    constraint.split(",").every((part) => format.dependencies.satisfies(version, part.trim()));
  let [lost, gained] = [false, false];
  for (const version of samples(`${before},${after}`)) {
    const [was, is] = [allows(before, version), allows(after, version)];
    lost ||= was && !is;
    gained ||= is && !was;
  }
  if (lost && gained) return "changed";
  return lost ? "tightened" : gained ? "loosened" : undefined;
}

const mostBounds = 40;

/** Versions at, right below and right above each bound: between two bounds nothing changes. */
function samples(constraints: string): string[] {
  const bounds = constraints
    .split(",")
    .slice(0, mostBounds)
    .map((part) => numbersOf(part.replace(/^[\s<>=!~]+/, "")))
    .filter((numbers) => numbers.length > 0);
  const around = bounds.flatMap((numbers) => {
    const padded = numbers.length < 2 ? [...numbers, 0] : numbers;
    const last = padded.findLastIndex((number) => number > 0);
    const below = padded.map((number, index) => (index < last ? number : index === last ? number - 1 : 99_999));
    const next = numbers.map((number, index) => (index === numbers.length - 1 ? number + 1 : number));
    const nextOfFewer = numbers
      .slice(0, -1)
      .map((number, index, all) => (index === all.length - 1 ? number + 1 : number));
    return [padded, [...padded, 0, 1], ...(last >= 0 ? [[...below, 99_999]] : []), next, [...next, 1], nextOfFewer];
  });
  return [
    "0.0",
    "99999.0",
    ...around
      .filter((numbers) => numbers.length > 0)
      .map((numbers) => (numbers.length < 2 ? [...numbers, 0] : numbers).join(".")),
  ];
}
