import { type Dependency, type DependencyReader, holds, textOf } from "../dependency.ts";
import { compareVersions, isVersion, normalizeVersion } from "./version.ts";

/** A requirement (PEP 508): name, extras, version specifiers with or without brackets, marker. */
const requirement = /^([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[[^\]]*\])?\s*\(?([^;)]*)\)?\s*(?:;\s*(.*))?$/;
const specifier = /^(===|==|!=|~=|>=|<=|>|<)\s*(\S+)$/;

/** Requirements come joined by `, `, which also stands within them: what begins with an operator goes on with the one before. */
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

export const pythonRequirements: DependencyReader = {
  read: (metadata) =>
    split(textOf(metadata, "requiresDist")).flatMap((text): Dependency[] => {
      const [, name, constraint = "", condition = ""] = requirement.exec(text) ?? [];
      if (!name) return [];
      return [{ kind: "requires", name, constraint: constraint.trim(), condition: condition.trim() }];
    }),
  isBuiltIn: () => false,
  satisfies: (version, constraint) =>
    constraint.split(",").every((part) => {
      const [, operator, bound = ""] = specifier.exec(part.trim()) ?? [];
      return operator ? meets(version, operator, bound) : true;
    }),
};

/** PEP 440, "Version specifiers". Bounds that are no versions hold for everything. */
function meets(version: string, operator: string, bound: string): boolean {
  if (operator === "===") return version === bound;
  const prefix = bound.endsWith(".*") ? bound.slice(0, -2) : undefined;
  if (prefix !== undefined) return startsWith(version, prefix) === (operator !== "!=");
  if (!isVersion(bound)) return true;
  const order = compareVersions(version, bound);
  if (operator === "~=") return order >= 0 && startsWith(version, bound.split(".").slice(0, -1).join("."));
  return holds(operator, order);
}

/** Whether the release of a version begins with the numbers of another. */
function startsWith(version: string, prefix: string): boolean {
  const numbers = (text: string) => (/^\d+(\.\d+)*/.exec(text)?.[0] ?? "").split(".").map(Number);
  const own = numbers(normalizeVersion(version));
  return numbers(prefix).every((number, index) => (own[index] ?? 0) === number);
}
