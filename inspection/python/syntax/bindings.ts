import type { ImportedName } from "../facts.ts";
import type { Place, Syntax } from "./syntax.ts";

/** How many values of one name are looked at, whatever they are. */
const mostValues = 8;
/** Of those after them, only what may stand for something that was imported. */
const mostReferences = 2_000;
const references = new Set(
  "identifier attribute call subscript named_expression parenthesized_expression lambda conditional_expression".split(
    " ",
  ),
);
/** Modules that a name may stand for: `try: import a as x`, `except ImportError: import b as x`. */
const mostAliases = 64;
const noPlaces: readonly Place[] = [];
const noNames: readonly string[] = [];

/** Copies that packages carry of others: the name after it is the original's. */
const vendorFolders = ["._vendor.", "._vendored.", ".extern.", ".vendor.", "six.moves."];

/** What a file binds to names. Scopes are not distinguished: a name means what any part of the file makes it. */
export class Bindings {
  readonly syntax: Syntax;
  readonly imports: ImportedName[] = [];
  readonly starImports: string[] = [];
  readonly functions = new Map<string, Place[]>();
  readonly classes = new Map<string, Place[]>();
  readonly #aliases = new Map<string, string[]>();
  readonly #values = new Map<string, Place[]>();
  /** Values of a name after the first ones. */
  readonly #references = new Map<string, Place[]>();
  /** What is assigned to attributes of this name, of any object, and in the bodies of classes. */
  readonly #attributes = new Map<string, Place[]>();

  constructor(syntax: Syntax) {
    this.syntax = syntax;
    for (let place = 0; place < syntax.count; place++) this.#read(place);
  }

  #read(place: Place): void {
    const { syntax } = this;
    const kind = syntax.kind(place);
    if (kind === "import_statement") this.#readImport(place);
    else if (kind === "import_from_statement") this.#readImportFrom(place);
    else if (kind === "function_definition") this.#remember(this.functions, place);
    else if (kind === "class_definition") this.#remember(this.classes, place);
    else if (kind === "assignment" || kind === "named_expression" || kind === "default_parameter") {
      const left = syntax.child(place, kind === "assignment" ? "left" : "name");
      const right = syntax.child(place, kind === "assignment" ? "right" : "value");
      if (left === undefined || right === undefined) return;
      if (kind === "assignment") this.#readAttribute(left, right);
      if (syntax.kind(left) === "identifier") this.#addValue(syntax.text(left), right);
      else this.#readPairs(left, right);
    } else if (kind === "as_pattern") {
      const alias = syntax.child(place, "alias");
      if (alias !== undefined) this.#addValue(syntax.text(alias), place + 1);
    } else if (kind === "for_in_clause" || kind === "for_statement") {
      const left = syntax.child(place, "left");
      const right = syntax.child(place, "right");
      if (left !== undefined && right !== undefined && syntax.kind(left) === "identifier")
        this.#addValue(syntax.text(left), right);
    }
  }

  #addValue(name: string, value: Place): void {
    const first = this.#values.get(name);
    if (first === undefined || first.length < mostValues) addTo(this.#values, name, value, mostValues);
    else if (references.has(this.syntax.kind(value))) addTo(this.#references, name, value, mostReferences);
  }

  /** `self.run = os.system`, and `run = os.system` in the body of a class. */
  #readAttribute(left: Place, right: Place): void {
    const { syntax } = this;
    if (syntax.kind(left) === "attribute") {
      const name = syntax.child(left, "attribute");
      if (name !== undefined) addTo(this.#attributes, syntax.text(name), right, mostReferences);
    } else if (syntax.kind(left) === "identifier" && isInClass(syntax, left))
      addTo(this.#attributes, syntax.text(left), right, mostReferences);
  }

  /** `a, b = c, d`. */
  #readPairs(left: Place, right: Place): void {
    const { syntax } = this;
    if (syntax.kind(left) !== "pattern_list" && syntax.kind(left) !== "tuple_pattern") return;
    if (syntax.kind(right) !== "expression_list" && syntax.kind(right) !== "tuple") return;
    const values = [...syntax.children(right)];
    for (const [index, target] of [...syntax.children(left)].entries()) {
      const value = values[index];
      if (value !== undefined && syntax.kind(target) === "identifier") this.#addValue(syntax.text(target), value);
      if (value !== undefined) this.#readAttribute(target, value);
    }
  }

  #remember(definitions: Map<string, Place[]>, definition: Place): void {
    const name = this.syntax.child(definition, "name");
    if (name !== undefined) addTo(definitions, this.syntax.text(name), definition, mostValues);
  }

  #readImport(place: Place): void {
    const { syntax } = this;
    for (const name of syntax.children(place)) {
      const isAliased = syntax.kind(name) === "aliased_import";
      const module = dotted(syntax, isAliased ? syntax.child(name, "name") : name);
      const alias = isAliased ? syntax.child(name, "alias") : undefined;
      const local = alias === undefined ? (module.split(".")[0] ?? module) : syntax.text(alias);
      this.#alias(local, alias === undefined ? local : module);
      this.imports.push({ name: local, from: module, imported: null });
    }
  }

  #readImportFrom(place: Place): void {
    const { syntax } = this;
    const module = dotted(syntax, syntax.child(place, "module_name"));
    for (const name of syntax.children(place)) {
      if (syntax.kind(name) === "wildcard_import") this.starImports.push(module);
      if (syntax.field(name) !== "name") continue;
      const isAliased = syntax.kind(name) === "aliased_import";
      const imported = dotted(syntax, isAliased ? syntax.child(name, "name") : name);
      const alias = isAliased ? syntax.child(name, "alias") : undefined;
      const local = alias === undefined ? imported : syntax.text(alias);
      this.#alias(local, module.endsWith(".") ? `${module}${imported}` : `${module}.${imported}`);
      this.imports.push({ name: local, from: module, imported });
    }
  }

  #alias(local: string, name: string): void {
    const whole = withoutVendor(name);
    const known = this.#aliases.get(local);
    if (known === undefined) this.#aliases.set(local, [whole]);
    else if (known.length < mostAliases && !known.includes(whole)) known.push(whole);
  }

  /** The full names of what is imported under a name, the usual one first. */
  importedAs(name: string): readonly string[] {
    return this.#aliases.get(name) ?? noNames;
  }

  /** What is assigned to a name anywhere in the file. */
  valuesOf(name: string): readonly Place[] {
    return this.#values.get(name) ?? noPlaces;
  }

  /** The same, with all that may stand for something that was imported, however often the name is set. */
  referencesOf(name: string): readonly Place[] {
    const further = this.#references.get(name);
    return further === undefined ? this.valuesOf(name) : [...this.valuesOf(name), ...further];
  }

  /** What is assigned to attributes of this name. */
  attributesNamed(name: string): readonly Place[] {
    return this.#attributes.get(name) ?? noPlaces;
  }
}

/** Whether a target of an assignment is in the body of a class, not of its methods. */
function isInClass(syntax: Syntax, target: Place): boolean {
  let at = syntax.parent(target);
  for (let step = 0; step < 20 && at !== 0; step++) {
    const kind = syntax.kind(at);
    if (kind === "class_definition") return true;
    if (kind === "function_definition" || kind === "lambda") return false;
    at = syntax.parent(at);
  }
  return false;
}

function addTo(places: Map<string, Place[]>, name: string, place: Place, most: number): void {
  const known = places.get(name);
  if (known === undefined) places.set(name, [place]);
  else if (known.length < most) known.push(place);
}

const dotted = (syntax: Syntax, place: Place | undefined): string =>
  place === undefined || syntax.length(place) > 500 ? "" : withoutSpaces(syntax.text(place));

/** A dotted name may have spaces and line continuations in it. */
const withoutSpaces = (text: string): string => text.replace(/[\s\\]/g, "");

function withoutVendor(name: string): string {
  for (const folder of vendorFolders) {
    const at = `.${name}`.indexOf(folder);
    if (at !== -1) return `.${name}`.slice(at + folder.length);
  }
  return name;
}
