import type { Parameter } from "@packhouse/contract/review/inspection";
import type { Definition, ModuleFacts } from "../facts.ts";
import { argumentsOf } from "../syntax/calls.ts";
import { isMainGuard } from "../syntax/guards.ts";
import { hasDocumentation, isPublicName } from "../syntax/literals.ts";
import type { Names } from "../syntax/names.ts";
import type { Place, Syntax } from "../syntax/syntax.ts";
import { asWritten, parametersOf } from "./parameters.ts";

/** A module of people has a few hundred. */
const mostDefinitions = 20_000;

/** Blocks whose statements are the module's own: `if`, `try`, `with`, loops. */
const transparent = new Set([
  "if_statement",
  "elif_clause",
  "else_clause",
  "try_statement",
  "except_clause",
  "except_group_clause",
  "finally_clause",
  "with_statement",
  "for_statement",
  "while_statement",
  "block",
  "match_statement",
  "case_clause",
  "ERROR",
]);

/** What a module defines, imports and declares public. */
export function moduleFacts(syntax: Syntax, names: Names): ModuleFacts {
  const definitions = new Definitions();
  const facts: ModuleFacts = {
    definitions: [],
    imports: [],
    starImports: [],
    aliases: [],
    all: null,
    allOf: [],
    documented: hasDocumentation(syntax, 0),
  };
  const listed = new AllNames(syntax, names);
  for (const statement of statementsOf(syntax, 0)) {
    const kind = syntax.kind(statement);
    if (kind === "import_from_statement" || kind === "import_statement") continue;
    if (kind === "delete_statement") {
      for (const name of deletedNames(syntax, statement)) definitions.remove(name);
    } else if (kind === "expression_statement") {
      listed.read(statement + 1);
      for (const target of assignedNames(syntax, statement + 1)) {
        const value = target.value;
        if (value !== undefined && syntax.kind(value) === "identifier")
          facts.aliases.push({ name: target.name, of: syntax.text(value) });
        definitions.add(valueDefinition(syntax, target));
      }
    } else for (const definition of definitionsOf(syntax, statement)) definitions.add(definition);
    if (definitions.size >= mostDefinitions) break;
  }
  const importTime = new Set(importsOfModule(syntax));
  facts.imports = names.imports.filter((_, index) => importTime.has(index));
  facts.starImports = names.starImports;
  facts.definitions = definitions.list();
  facts.all = listed.names;
  facts.allOf = listed.modules;
  return facts;
}

/** `del a, (b, c)`; `del a.b` and `del a[b]` leave the name. */
function* deletedNames(syntax: Syntax, statement: Place): Generator<string> {
  for (const place of syntax.subtree(statement + 1, 100))
    if (syntax.kind(place) === "identifier" && !isPartOfOther(syntax, place)) yield syntax.text(place);
}

const isPartOfOther = (syntax: Syntax, place: Place): boolean =>
  ["attribute", "subscript"].includes(syntax.kind(syntax.parent(place)));

/** Which of the file's imported names are imported by the module itself, not within a function. */
function* importsOfModule(syntax: Syntax): Generator<number> {
  let index = 0;
  let functionEnd = 0;
  for (let place = 0; place < syntax.count; place++) {
    const kind = syntax.kind(place);
    if (kind === "function_definition") functionEnd = Math.max(functionEnd, syntax.end(place));
    if (kind !== "import_statement" && kind !== "import_from_statement") continue;
    for (const name of syntax.children(place)) {
      if (kind === "import_from_statement" && syntax.field(name) !== "name") continue;
      if (place >= functionEnd) yield index;
      index += 1;
    }
  }
}

/** The statements that run when the module is imported, in conditions and blocks too. */
function* statementsOf(syntax: Syntax, scope: Place): Generator<Place> {
  const end = syntax.end(scope);
  for (let place = scope + 1; place < end; ) {
    const kind = syntax.kind(place);
    const isGuarded = kind === "if_statement" && isMainGuard(syntax, place);
    const opens = transparent.has(kind) && !isGuarded;
    if (opens) place += 1;
    else {
      if (!isGuarded) yield place;
      place = syntax.end(place);
    }
  }
}

/** Functions and classes, with what decorators make of them. */
function definitionsOf(syntax: Syntax, statement: Place, isNested = false): Definition[] {
  const isDecorated = syntax.kind(statement) === "decorated_definition";
  const place = isDecorated ? syntax.child(statement, "definition") : statement;
  if (place === undefined) return [];
  const kind = syntax.kind(place);
  const decorators = isDecorated ? decoratorsOf(syntax, statement) : [];
  if (kind === "function_definition") {
    const definition = functionDefinition(syntax, place);
    return definition && !decorators.some(isOverload) ? [definition] : [];
  }
  if (kind !== "class_definition") return [];
  const name = syntax.child(place, "name");
  const body = syntax.child(place, "body");
  if (name === undefined || body === undefined) return [];
  return [
    {
      name: syntax.text(name),
      kind: "class",
      parameters: constructorOf(syntax, { place, body, decorators }),
      line: syntax.line(place),
      documented: hasDocumentation(syntax, body),
      members: isNested ? [] : membersOf(syntax, body),
    },
  ];
}

function functionDefinition(syntax: Syntax, place: Place): Definition | undefined {
  const name = syntax.child(place, "name");
  const parameters = syntax.child(place, "parameters");
  const body = syntax.child(place, "body");
  if (name === undefined || parameters === undefined) return undefined;
  return {
    name: syntax.text(name),
    kind: "function",
    parameters: parametersOf(syntax, parameters),
    line: syntax.line(place),
    documented: body !== undefined && hasDocumentation(syntax, body),
    members: [],
  };
}

const decoratorsOf = (syntax: Syntax, decorated: Place): string[] =>
  [...syntax.children(decorated)]
    .filter((part) => syntax.kind(part) === "decorator")
    .map((part) => asWritten(syntax, syntax.child(part + 1, "function") ?? part + 1));

const lastName = (decorator: string): string => decorator.slice(decorator.lastIndexOf(".") + 1);
const isOverload = (decorator: string): boolean => lastName(decorator) === "overload";
const isProperty = (decorator: string): boolean => /(^|[._])(cached_)?property$/.test(decorator);
const isAccessor = (decorator: string): boolean => ["setter", "deleter"].includes(lastName(decorator));

/** Public methods, properties, attributes and nested classes. */
function membersOf(syntax: Syntax, body: Place): Definition[] {
  const members = new Definitions();
  for (const statement of statementsOf(syntax, body)) {
    if (members.size >= mostDefinitions) break;
    if (syntax.kind(statement) === "expression_statement") {
      for (const target of assignedNames(syntax, statement + 1))
        if (isPublicName(target.name)) members.add(valueDefinition(syntax, target));
      continue;
    }
    const decorators = decoratorsOf(syntax, statement);
    if (decorators.some(isAccessor)) continue;
    for (const definition of definitionsOf(syntax, statement, true)) {
      if (!isPublicName(definition.name) && definition.name !== "__call__") continue;
      if (definition.kind === "function") members.add(methodOf(definition, decorators));
      else members.add(definition);
    }
  }
  return members.list();
}

function methodOf(definition: Definition, decorators: string[]): Definition {
  if (decorators.some(isProperty)) return { ...definition, kind: "object", parameters: null };
  const parameters = definition.parameters ?? [];
  const isStatic = decorators.some((decorator) => lastName(decorator) === "staticmethod");
  return { ...definition, kind: "method", parameters: isStatic ? parameters : withoutReceiver(parameters) };
}

const withoutReceiver = (parameters: Parameter[]): Parameter[] =>
  parameters[0] !== undefined && (parameters[0].kind === "any" || parameters[0].kind === "positional-only")
    ? parameters.slice(1)
    : parameters;

interface ClassParts {
  place: Place;
  body: Place;
  decorators: string[];
}

/** What creating an instance needs; null where a base class decides. */
function constructorOf(syntax: Syntax, { place, body, decorators }: ClassParts): Parameter[] | null {
  const fields: Parameter[] = [];
  for (const statement of statementsOf(syntax, body)) {
    const isDecorated = syntax.kind(statement) === "decorated_definition";
    const inner = isDecorated ? syntax.child(statement, "definition") : statement;
    if (inner !== undefined && syntax.kind(inner) === "function_definition") {
      const definition = functionDefinition(syntax, inner);
      const isOverloaded = isDecorated && decoratorsOf(syntax, statement).some(isOverload);
      if (definition?.name === "__init__" && !isOverloaded) return withoutReceiver(definition.parameters ?? []);
    }
    const field = fieldOf(syntax, statement);
    if (field) fields.push(field);
  }
  const superclasses = syntax.child(place, "superclasses");
  const bases = superclasses === undefined ? [] : [...syntax.children(superclasses)];
  if (decorators.some((decorator) => lastName(decorator) === "dataclass")) return bases.length === 0 ? fields : null;
  if (bases.some((base) => lastName(asWritten(syntax, base)) === "NamedTuple")) return fields;
  const isPlain = bases.every((base) => asWritten(syntax, base) === "object");
  return isPlain && !decorators.some((decorator) => decorator !== "final") ? [] : null;
}

/** `width: float = 1.0` in a data class. */
function fieldOf(syntax: Syntax, statement: Place): Parameter | undefined {
  if (syntax.kind(statement) !== "expression_statement" || syntax.kind(statement + 1) !== "assignment")
    return undefined;
  const assignment = statement + 1;
  const left = syntax.child(assignment, "left");
  const type = syntax.child(assignment, "type");
  const right = syntax.child(assignment, "right");
  if (left === undefined || type === undefined || syntax.kind(left) !== "identifier") return undefined;
  const annotation = asWritten(syntax, type);
  if (annotation.includes("ClassVar")) return undefined;
  return {
    name: syntax.text(left),
    default: right === undefined ? null : asWritten(syntax, right),
    annotation,
    kind: "any",
  };
}

interface AssignedName {
  name: string;
  place: Place;
  value: Place | undefined;
}

/** `a = b = 1`, `a, b = 1, 2` and `a: int = 1`; a mere `a: int` assigns nothing but declares. */
function assignedNames(syntax: Syntax, expression: Place): AssignedName[] {
  const found: AssignedName[] = [];
  let assignment: Place | undefined = expression;
  while (assignment !== undefined && syntax.kind(assignment) === "assignment" && found.length < 200) {
    const left = syntax.child(assignment, "left");
    const right = syntax.child(assignment, "right");
    if (left !== undefined) {
      const kind = syntax.kind(left);
      if (kind === "identifier") found.push({ name: syntax.text(left), place: left, value: right });
      else if (kind === "pattern_list" || kind === "tuple_pattern")
        for (const target of syntax.children(left))
          if (syntax.kind(target) === "identifier")
            found.push({ name: syntax.text(target), place: target, value: undefined });
    }
    assignment = right;
  }
  return found;
}

const valueDefinition = (syntax: Syntax, { name, place, value }: AssignedName): Definition => {
  const isFunction = value !== undefined && syntax.kind(value) === "lambda";
  const parameters = isFunction ? syntax.child(value, "parameters") : undefined;
  return {
    name,
    kind: isFunction ? "function" : name === name.toUpperCase() ? "constant" : "object",
    parameters: isFunction ? (parameters === undefined ? [] : parametersOf(syntax, parameters)) : null,
    line: syntax.line(place),
    documented: false,
    members: [],
  };
};

/** By name: what is defined last counts, except that a value never hides a function of another branch. */
class Definitions {
  readonly #byName = new Map<string, Definition>();

  get size(): number {
    return this.#byName.size;
  }

  add(definition: Definition): void {
    const known = this.#byName.get(definition.name);
    const isValue = definition.kind === "object" || definition.kind === "constant";
    if (known && isValue && known.kind !== "object" && known.kind !== "constant") return;
    this.#byName.set(definition.name, definition);
  }

  remove(name: string): void {
    this.#byName.delete(name);
  }

  list(): Definition[] {
    return [...this.#byName.values()];
  }
}

/** `__all__`, with what is added to it; unknown as soon as a part of it is computed. */
class AllNames {
  names: string[] | null = null;
  readonly modules: string[] = [];
  readonly #syntax: Syntax;
  readonly #names: Names;
  #isComputed = false;

  constructor(syntax: Syntax, names: Names) {
    this.#syntax = syntax;
    this.#names = names;
  }

  read(expression: Place): void {
    const syntax = this.#syntax;
    const kind = syntax.kind(expression);
    if (kind === "assignment" || kind === "augmented_assignment") {
      const left = syntax.child(expression, "left");
      const right = syntax.child(expression, "right");
      if (left === undefined || right === undefined || syntax.text(left) !== "__all__") return;
      if (kind === "assignment") {
        this.names = [];
        this.#isComputed = false;
      }
      this.#add(right);
    } else if (kind === "call") {
      const callee = syntax.child(expression, "function");
      const called = callee === undefined || syntax.length(callee) > 40 ? "" : syntax.text(callee);
      const argument = argumentsOf(this.#syntax, expression).positional[0];
      if (argument === undefined) return;
      if (called === "__all__.extend") this.#add(argument);
      const name = this.#names.textOf(argument)?.text;
      if (called === "__all__.append") this.#add(argument);
      if (called === "__all__.remove") this.names = this.names?.filter((known) => known !== name) ?? null;
    }
    if (this.#isComputed) this.names = null;
  }

  /** A list, a tuple, one text, another module's `__all__`, or several of them with `+`. */
  #add(value: Place): void {
    const syntax = this.#syntax;
    const waiting = [value];
    for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
      const kind = syntax.kind(part);
      const constant = this.#names.constant(part)?.value;
      if (typeof constant === "string") this.#name(constant);
      else if (Array.isArray(constant)) for (const name of constant) this.#name(String(name));
      else if (kind === "binary_operator" || kind === "parenthesized_expression")
        waiting.push(...syntax.children(part));
      else if (kind === "list" || kind === "tuple" || kind === "expression_list")
        waiting.push(...syntax.children(part));
      else if (kind === "list_splat") waiting.push(part + 1);
      else if (kind === "attribute" && syntax.text(part).endsWith(".__all__"))
        this.modules.push(syntax.text(part).slice(0, -".__all__".length));
      else if (kind !== "+") this.#isComputed = true;
    }
  }

  #name(name: string): void {
    this.names ??= [];
    if (this.names.length < mostDefinitions) this.names.push(name);
  }
}
