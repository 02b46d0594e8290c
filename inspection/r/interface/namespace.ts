import { argumentsOf, calleeOf } from "../code/calls.ts";
import { nameOf } from "../code/literals.ts";
import type { Syntax, SyntaxNode } from "../code/syntax.ts";

/** What NAMESPACE declares ("Writing R Extensions", 1.5). Both sides of an `if` count: each holds somewhere. */
export interface Namespace {
  /** By the name that users see, the name inside the package. */
  exports: Map<string, string>;
  exportPatterns: string[];
  exportClasses: string[];
  exportClassPatterns: string[];
  exportMethods: string[];
  s3Methods: { generic: string; class: string; function: string | null }[];
  /** Packages that are imported as a whole. */
  imports: Set<string>;
  /** By the imported name, its package. */
  importsFrom: Map<string, string>;
  lines: Map<string, number>;
}

export const emptyNamespace = (): Namespace => ({
  exports: new Map(),
  exportPatterns: [],
  exportClasses: [],
  exportClassPatterns: [],
  exportMethods: [],
  s3Methods: [],
  imports: new Set(),
  importsFrom: new Map(),
  lines: new Map(),
});

export function readNamespace(syntax: Syntax): Namespace {
  const found = emptyNamespace();
  for (const node of syntax.nodes) if (node.type === "call") readDirective(syntax, node, found);
  return found;
}

function readDirective(syntax: Syntax, call: SyntaxNode, found: Namespace): void {
  const list = argumentsOf(syntax, call).map(({ name, value }) => ({ name, value: nameOf(syntax, value) }));
  const values = list.flatMap(({ value }) => (value === null ? [] : [value]));
  const [first, ...rest] = values;
  switch (calleeOf(syntax, call)?.name) {
    case "export":
      for (const { name, value } of list) {
        if (value === null) continue;
        found.exports.set(name || value, value);
        found.lines.set(name || value, syntax.lineOf(call));
      }
      break;
    case "exportPattern":
      found.exportPatterns.push(...values);
      break;
    case "exportClass":
    case "exportClasses":
      found.exportClasses.push(...values);
      break;
    case "exportClassPattern":
      found.exportClassPatterns.push(...values);
      break;
    case "exportMethods":
      found.exportMethods.push(...values);
      break;
    case "S3method":
      if (first !== undefined && rest[0] !== undefined)
        found.s3Methods.push({ generic: first, class: rest[0], function: rest[1] ?? null });
      break;
    case "import":
      for (const value of list) if (value.name !== "except" && value.value !== null) found.imports.add(value.value);
      break;
    case "importFrom":
    case "importClassesFrom":
    case "importMethodsFrom":
      if (first !== undefined) for (const name of rest) found.importsFrom.set(name, first);
      break;
  }
}
