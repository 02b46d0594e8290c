import { type Dependency, type DependencyReader, holds, textOf } from "../dependency.ts";
import { metadataLimits } from "../metadata-limits.ts";
import { compareVersions, partsOfVersion, type VersionParts } from "./version.ts";

const projectName = /^[A-Za-z0-9][A-Za-z0-9._-]*/;
const specifier = /^(===|==|!=|~=|>=|<=|>|<)\s*(\S+)$/;

/**
 * Requirements are joined by `, `, which also appears within them: a part that starts with an operator continues the
 * previous one.
 */
function split(text: string): string[] {
  const parts: string[] = [];
  let open = 0;
  for (const part of text.split(",")) {
    const goesOn = open > 0 || /^\s*(===|==|!=|~=|>=|<=|>|<)/.test(part);
    if (goesOn && parts.length > 0) parts[parts.length - 1] += `,${part}`;
    else parts.push(part);
    for (const character of part) {
      if (character === "[" || character === "(") open += 1;
      if (character === "]" || character === ")") open -= 1;
    }
  }
  return parts.map((part) => part.trim()).filter(Boolean);
}

/**
 * A requirement (PEP 508): name, extras, version specifiers with or without brackets, marker. Each part is cut off
 * the front, so that no text is scanned twice; anything else is ignored.
 */
function requirement(text: string): Dependency[] {
  const name = projectName.exec(text)?.[0];
  if (!name) return [];
  let rest = text.slice(name.length).trimStart();
  if (rest.startsWith("[")) {
    const end = rest.indexOf("]");
    if (end === -1) return [];
    rest = rest.slice(end + 1).trimStart();
  }
  if (rest.startsWith("(")) rest = rest.slice(1);
  const end = rest.search(/[;)]/);
  const constraint = (end === -1 ? rest : rest.slice(0, end)).trim();
  rest = end === -1 ? "" : rest.slice(rest[end] === ")" ? end + 1 : end).trimStart();
  if (rest !== "" && !rest.startsWith(";")) return [];
  return [{ kind: "requires", name, constraint, condition: rest.slice(1).trim() }];
}

/** All requirements in the metadata, without a limit. */
export const requirementsIn = (metadata: Readonly<Record<string, unknown>>): Dependency[] =>
  split(textOf(metadata, "requiresDist")).flatMap(requirement);

export const pythonRequirements: DependencyReader = {
  read: (metadata) => requirementsIn(metadata).slice(0, metadataLimits.dependencies),
  isBuiltIn: () => false,
  satisfies: (version, constraint) =>
    constraint.split(",").every((part) => {
      const [, operator, bound = ""] = specifier.exec(part.trim()) ?? [];
      return operator ? meets(version, operator, bound) : true;
    }),
};

/** PEP 440, "Version specifiers". Bounds that are not versions match everything. */
function meets(version: string, operator: string, bound: string): boolean {
  if (operator === "===") return version.toLowerCase() === bound.toLowerCase();
  const own = partsOfVersion(version);
  const prefix = bound.endsWith(".*") ? partsOfVersion(bound.slice(0, -2)) : undefined;
  if (own && prefix) return startsWith(own, prefix.release) === (operator !== "!=");
  const its = partsOfVersion(bound);
  if (!own || !its) return true;
  // A bound without a local part is about public versions.
  const order = compareVersions(its.isLocal ? version : own.public, bound);
  if (operator === "~=") return order >= 0 && startsWith(own, its.release.slice(0, -1));
  const sameRelease = startsWith(own, its.release) && startsWith(its, own.release);
  // `<2` does not mean 2.0a1, and `>1` does not mean 1.0.post1.
  if (operator === "<" && sameRelease && own.isPreRelease && !its.isPreRelease) return false;
  if (operator === ">" && sameRelease && own.isPostRelease && !its.isPostRelease) return false;
  return holds(operator, order);
}

/** Whether the epoch and the release of a version start with these numbers. */
const startsWith = ({ release }: VersionParts, prefix: readonly string[]): boolean =>
  prefix.every((number, index) => (release[index] ?? "0") === number);
