/** One package that another one needs or can use. */
export interface Dependency {
  /** In which field it stands: `depends`, `imports`, `linkingTo`, `suggests`, `enhances`; Python: `requires`. */
  kind: "depends" | "imports" | "linkingTo" | "suggests" | "enhances" | "requires";
  name: string;
  /** As it was written: `>= 1.2`; empty is any version. */
  constraint: string;
  /** Python: when it is needed at all, `extra == "plot"`; empty is always. */
  condition: string;
}

/** What a dependency stands for before anything is looked up: the language itself and what always comes with it. */
export interface DependencyReader {
  read(metadata: Readonly<Record<string, unknown>>): Dependency[];
  isBuiltIn(name: string): boolean;
  satisfies(version: string, constraint: string): boolean;
}

export const textOf = (metadata: Readonly<Record<string, unknown>>, field: string): string => {
  const value = metadata[field];
  return typeof value === "string" ? value : "";
};

/** Whether a version that stands so to a bound (`order` as of a comparison) meets the operator before the bound. */
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
