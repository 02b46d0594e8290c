import type { Names } from "./names.ts";
import type { Place, Syntax } from "./syntax.ts";

/** `if __name__ == "__main__":`, whose block runs only if the file is started as a program. */
export function isMainGuard(syntax: Syntax, statement: Place): boolean {
  const whole = syntax.child(statement, "condition");
  const conditions = whole === undefined ? [] : [whole];
  for (const condition of conditions) {
    const operator = syntax.child(condition, "operator");
    const isBoth = operator !== undefined && syntax.text(operator) === "and" && conditions.length < 20;
    if (isBoth) conditions.push(...syntax.children(condition));
    if (isMainComparison(syntax, condition)) return true;
  }
  return false;
}

function isMainComparison(syntax: Syntax, condition: Place): boolean {
  if (syntax.kind(condition) !== "comparison_operator") return false;
  const sides = [...syntax.children(condition)];
  const texts = sides.map((side) => (syntax.length(side) < 20 ? syntax.text(side) : ""));
  const isEqual = texts.includes("==") && sides.length === 3;
  return isEqual && texts.includes("__name__") && texts.some((text) => text.slice(1, -1) === "__main__");
}

const forTypes = new Set(["typing.TYPE_CHECKING", "typing_extensions.TYPE_CHECKING"]);

/** `if TYPE_CHECKING:`, whose block only type checkers read, unless the file sets the name to something else. */
export function isTypeCheckingGuard(syntax: Syntax, names: Names, statement: Place): boolean {
  const condition = syntax.child(statement, "condition");
  if (condition === undefined || syntax.length(condition) > 60) return false;
  const kind = syntax.kind(condition);
  if (kind !== "identifier" && kind !== "attribute") return false;
  if (names.attributesNamed("TYPE_CHECKING").length > 0) return false;
  if (kind === "attribute") return forTypes.has(names.resolve(condition)?.name ?? "");
  const name = syntax.text(condition);
  // `TYPE_CHECKING = False` spares the import of `typing`.
  const values = names.referencesOf(name);
  const imported = names.importedAs(name);
  return (
    name === "TYPE_CHECKING" &&
    values.length + imported.length > 0 &&
    values.every((value) => syntax.kind(value) === "false") &&
    imported.every((module) => forTypes.has(module))
  );
}
