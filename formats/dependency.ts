/** A package that another one needs or can use. */
export interface Dependency {
  /** The field that declares it: `depends`, `imports`, `linkingTo`, `suggests`, `enhances`; Python: `requires`. */
  kind: "depends" | "imports" | "linkingTo" | "suggests" | "enhances" | "requires";
  name: string;
  /** As written: `>= 1.2`; empty means any version. */
  constraint: string;
  /** Python: the condition under which it is needed, `extra == "plot"`; empty means always. */
  condition: string;
}

/** What a dependency refers to before any lookup: the language itself and what always comes with it. */
export interface DependencyReader {
  read(metadata: Readonly<Record<string, unknown>>): Dependency[];
  isBuiltIn(name: string): boolean;
  satisfies(version: string, constraint: string): boolean;
}

export const textOf = (metadata: Readonly<Record<string, unknown>>, field: string): string => {
  const value = metadata[field];
  return typeof value === "string" ? value : "";
};

/** Whether a version satisfies an operator, given its `order` relative to the bound (as in a comparison). */
export function holds(operator: string, order: number): boolean {
  switch (operator) {
    case ">=":
      return order >= 0;
    case "<=":
      return order <= 0;
    case ">":
      return order > 0;
    case "<":
      return order < 0;
    case "!=":
      return order !== 0;
    default:
      return order === 0;
  }
}
