import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { parseSync } from "oxc-parser";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { project } from "../stages.ts";

const read = (path: string): string => readFileSync(join(project, path), "utf8");
const files = readdirSync(join(project, "console"), { recursive: true, encoding: "utf8" })
  .map((path) => join("console", path))
  .filter((path) => !/\/(dist|node_modules)\//.test(path));
const modules = files.filter((path) => path.endsWith(".module.css"));
const components = files.filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path));

/** Sheets whose selectors count everywhere: elements, and what a library names itself. */
const globalSheets = files.filter((path) => path.endsWith(".css") && !path.endsWith(".module.css"));
const librariesClass = /^\.(mantine-|hljs-)/;

/** The selectors of a sheet, each without what `:global()` takes out of its module, and the classes in these brackets. */
function selectorsOf(path: string): { own: string[]; global: string[] } {
  const text = read(path).replace(/\/\*[\s\S]*?\*\//g, "");
  const selectors = [...text.matchAll(/([^{};]+)\{/g)].map(([, selector = ""]) => selector.trim());
  const classes = selectors.filter((selector) => !selector.startsWith("@")).join("\n");
  const inBrackets = /:global\(([^)]+)\)/g;
  const named = /\.[a-zA-Z_][\w-]*/g;
  return {
    own: classes.replace(inBrackets, "").match(named) ?? [],
    global: [...classes.matchAll(inBrackets)].flatMap(([, inside = ""]) => inside.match(named) ?? []),
  };
}

interface Node {
  type: string;
}
const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";

/** A node and everything in it, but not what lies in nodes of the type `except`. */
function nodesIn(value: unknown, except = ""): Node[] {
  if (Array.isArray(value)) return value.flatMap((element) => nodesIn(element, except));
  if (!isNode(value) || value.type === except) return [];
  return [value, ...Object.values(value).flatMap((child) => nodesIn(child, except))];
}

/** The nodes of each component that have to do with classes. */
const nodesOf = new Map(
  components.map((path) => {
    const nodes = nodesIn(parseSync(path, read(path)).program);
    return [
      path,
      nodes.filter(({ type }) => /^(ImportDeclaration|MemberExpression|JSXAttribute)$/.test(type)),
    ] as const;
  }),
);

const identifier = z.looseObject({ type: z.literal("Identifier"), name: z.string() });
const importNode = z.looseObject({
  type: z.literal("ImportDeclaration"),
  source: z.looseObject({ value: z.string().endsWith(".module.css") }),
  specifiers: z.array(z.looseObject({ local: identifier })),
});
const memberNode = z.looseObject({
  type: z.literal("MemberExpression"),
  object: identifier,
  property: z.looseObject({ name: z.string().optional() }),
  computed: z.boolean(),
});
const classAttribute = z.looseObject({
  type: z.literal("JSXAttribute"),
  name: z.looseObject({ name: z.string().regex(/^class(Name|Names)$/) }),
  value: z.unknown(),
});
const textNode = z.union([
  z.looseObject({ type: z.literal("Literal"), value: z.string().regex(/\S/) }),
  z.looseObject({ type: z.literal("TemplateElement"), value: z.looseObject({ raw: z.string().regex(/\S/) }) }),
]);

/** The module that each name stands for, and the classes that are taken from it. */
function classesTakenIn(path: string, nodes: readonly Node[]): { module: string; name: string }[] {
  const moduleOf = new Map(
    nodes.flatMap((node) => {
      const { data } = importNode.safeParse(node);
      const module = data && relative(project, resolve(project, dirname(path), data.source.value));
      return module ? data.specifiers.map(({ local }) => [local.name, module] as const) : [];
    }),
  );
  return nodes.flatMap((node) => {
    const { data } = memberNode.safeParse(node);
    const module = data && moduleOf.get(data.object.name);
    return module ? [{ module, name: data.computed ? "(computed)" : `.${data.property.name}` }] : [];
  });
}

const taken = [...nodesOf].flatMap(([path, nodes]) => classesTakenIn(path, nodes));

describe("styles", () => {
  test("are found at all", () => {
    expect(modules.length).toBeGreaterThan(40);
    expect(taken.length).toBeGreaterThan(400);
  });

  test("outside of modules are of elements, in one sheet, and of classes that a library names", () => {
    const wrong = globalSheets.flatMap((path) => {
      const { own } = selectorsOf(path);
      const reset = path === "console/ui/styles/global.css";
      return own.length === 0 && !reset ? [path] : own.filter((name) => reset || !librariesClass.test(name));
    });
    expect(wrong).toEqual([]);
  });

  test("of a module name globally only what a library names, next to classes of its own", () => {
    const wrong = modules.flatMap((path) => {
      const { own, global } = selectorsOf(path);
      // The build leaves out a module of which no class is used.
      return own.length === 0 ? [path] : global.filter((name) => !librariesClass.test(name));
    });
    expect(wrong).toEqual([]);
  });

  test("of a module are all used, and only they", () => {
    const pairs = (module: string, names: Iterable<string>) => [...new Set(names)].map((name) => `${module} ${name}`);
    const defined = modules.flatMap((module) => pairs(module, selectorsOf(module).own));
    const used = modules.flatMap((module) =>
      pairs(
        module,
        taken.filter((one) => one.module === module).map(({ name }) => name),
      ),
    );
    expect(used.sort()).toEqual(defined.sort());
  });

  test("have their class names from modules: no component writes one itself", () => {
    const wrong = [...nodesOf].filter(([, nodes]) =>
      nodes.some((node) => {
        const attribute = classAttribute.safeParse(node);
        // A comparison chooses between classes; the texts that it compares are none.
        return nodesIn(attribute.data?.value, "BinaryExpression").some((inside) => textNode.safeParse(inside).success);
      }),
    );
    expect(wrong.map(([path]) => path)).toEqual([]);
  });

  test("take their colors from roles of the theme", () => {
    const theme = read("console/ui/theme.ts") + read("console/ui/code-roles.ts");
    const unknown = [...modules, ...globalSheets, ...components].flatMap((path) =>
      [...read(path).matchAll(/var\(--ph-([\w-]+)/g)]
        .map(([, role = ""]) => role)
        .filter((role) => !new RegExp(`^ {2}"?${role}"?: \\["#`, "m").test(theme)) // bounded expression: our own names
        .map((role) => `${path} ${role}`),
    );
    expect(unknown).toEqual([]);
  });
});
