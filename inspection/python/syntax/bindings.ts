import type { ImportedName } from "../facts.ts";
import type { Place, Syntax } from "./syntax.ts";

/** How many values of one name are looked at. */
const mostValues = 8;

/** Copies that packages carry of others: the name after it is the original's. */
const vendorFolders = ["._vendor.", "._vendored.", ".extern.", ".vendor.", "six.moves."];

/** What a file binds to names. Scopes are not distinguished: a name means what any part of the file makes it. */
export class Bindings {
  readonly syntax: Syntax;
  readonly imports: ImportedName[] = [];
  readonly starImports: string[] = [];
  readonly functions = new Map<string, Place[]>();
  readonly classes = new Map<string, Place[]>();
  readonly #aliases = new Map<string, string>();
  readonly #values = new Map<string, Place[]>();

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
      if (syntax.kind(left) === "identifier") addTo(this.#values, syntax.text(left), right);
      else this.#readPairs(left, right);
    } else if (kind === "as_pattern") {
      const alias = syntax.child(place, "alias");
      if (alias !== undefined) addTo(this.#values, syntax.text(alias), place + 1);
    } else if (kind === "for_in_clause" || kind === "for_statement") {
      const left = syntax.child(place, "left");
      const right = syntax.child(place, "right");
      if (left !== undefined && right !== undefined && syntax.kind(left) === "identifier")
        addTo(this.#values, syntax.text(left), right);
    }
  }

  /** `a, b = c, d`. */
  #readPairs(left: Place, right: Place): void {
    const { syntax } = this;
    if (syntax.kind(left) !== "pattern_list" && syntax.kind(left) !== "tuple_pattern") return;
    if (syntax.kind(right) !== "expression_list" && syntax.kind(right) !== "tuple") return;
    const values = [...syntax.children(right)];
    for (const [index, target] of [...syntax.children(left)].entries()) {
      const value = values[index];
      if (value !== undefined && syntax.kind(target) === "identifier") addTo(this.#values, syntax.text(target), value);
    }
  }

  #remember(definitions: Map<string, Place[]>, definition: Place): void {
    const name = this.syntax.child(definition, "name");
    if (name !== undefined) addTo(definitions, this.syntax.text(name), definition);
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
    // `try: import json except ImportError: import simplejson as json`: the first is the usual one.
    if (!this.#aliases.has(local)) this.#aliases.set(local, withoutVendor(name));
  }

  /** Whether a name is imported, as opposed to defined in the file. */
  isImported(name: string): boolean {
    return this.#aliases.has(name);
  }

  /** The full name of what is imported under a name. */
  importedAs(name: string): string | undefined {
    return this.#aliases.get(name);
  }

  /** What is assigned to a name anywhere in the file. */
  valuesOf(name: string): readonly Place[] {
    return this.#values.get(name) ?? [];
  }
}

function addTo(places: Map<string, Place[]>, name: string, place: Place): void {
  const known = places.get(name);
  if (known === undefined) places.set(name, [place]);
  else if (known.length < mostValues) known.push(place);
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
