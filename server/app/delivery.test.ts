import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { parse as parseYaml } from "yaml";
import { z } from "zod";
import { memoryOptions } from "../entry/memory-options.ts";
import { settingTable } from "../platform/settings/setting-table.ts";
import { variableOf } from "../platform/settings/settings.ts";
import { isInImageContext } from "../testing/image-context.ts";

const project = resolve(import.meta.dirname, "../..");

/** Variables that are not settings, each with its reader. */
const others = new Set([
  "PACKHOUSE_CONFIG", // the server: names the settings file
  "PACKHOUSE_IMAGE", // the compose file
  "PACKHOUSE_DEMO_PASSWORD", // the demo
  "PACKHOUSE_PERSON_PASSWORD", // the command line
  "PACKHOUSE_FUZZ_FACTOR", // the tests of properties
]);
const settings = new Map(
  Object.entries(settingTable).map(([name, { schema }]) => [variableOf(name), { name, schema }] as const),
);

const filesIn = (folder: string, endings: RegExp): string[] =>
  readdirSync(join(project, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => endings.test(file))
    .map((file) => join(folder, file));
const textOf = (file: string) => readFileSync(join(project, file), "utf8");

const files = [
  ...filesIn("deploy", /(Containerfile|Caddyfile|\.(ya?ml|json|service|tpl|txt|example|conf|md))$/),
  ...filesIn("docs", /\.md$/),
  "README.md",
];

/** `PACKHOUSE_X=value`, `PACKHOUSE_X: value`, and the form of manifests: `name:` with a `value:` below. */
const given =
  /(PACKHOUSE_[A-Z0-9_]+)(?:(?:=|:[ \t]+)("[^"\n]*"|'[^'\n]*'|[^\s\\`|,;)]+)|\n\s+value: ("[^"\n]*"|[^\s]+))/g;
/** Placeholders are not values to be checked. */
const isPlaceholder = (value: string) => value === "" || /[…<>${}]|\.\.\./.test(value) || /^[A-Z_]+$/.test(value);

describe("settings in deploy/ and the documents", () => {
  test("name only existing variables", () => {
    const unknown = files.flatMap((file) =>
      [...textOf(file).matchAll(/PACKHOUSE_[A-Z0-9_]*[A-Z0-9](?![A-Z0-9_*])/g)]
        .map(([name]) => name)
        .filter((name) => !settings.has(name) && !others.has(name))
        .map((name) => `${file}: ${name}`),
    );
    expect(unknown).toEqual([]);
  });

  test("have valid values", () => {
    const seen: string[] = [];
    const wrong = files.flatMap((file) =>
      [...textOf(file).matchAll(given)].flatMap(([, name = "", inLine, below]) => {
        const value = (inLine ?? below ?? "").replaceAll(/^["']|["']$/g, "");
        const setting = settings.get(name);
        if (!setting || isPlaceholder(value)) return [];
        seen.push(name);
        return setting.schema.safeParse(value).success ? [] : [`${file}: ${name}=${value}`];
      }),
    );
    expect(wrong).toEqual([]);
    // The pattern matches what it is meant to match.
    expect(seen).toEqual(expect.arrayContaining(["PACKHOUSE_DATA_DIR", "PACKHOUSE_HOST", "PACKHOUSE_METRICS_PORT"]));
    expect(seen).toEqual(expect.arrayContaining(["PACKHOUSE_STORAGE_URL", "PACKHOUSE_TRUSTED_PROXIES"]));
  });

  test("use only existing keys in settings files", () => {
    const blocks = files
      .filter((file) => file.endsWith(".md"))
      .flatMap((file) =>
        [...textOf(file).matchAll(/```ya?ml\n# packhouse\.yaml\n(.*?)```/gs)].map(([, yaml = ""]) => ({ file, yaml })),
      );
    const wrong = blocks.flatMap(({ file, yaml }) =>
      leavesOf(parseYaml(yaml))
        .filter((key) => !(key in settingTable))
        .map((key) => `${file}: ${key}`),
    );
    expect(wrong).toEqual([]);
  });
});

test("the unit and the container image start the server with the memory options of npm start", () => {
  const environment = Object.entries(memoryOptions.environment).map(([name, value]) => `${name}=${value}`);
  const starts = {
    "deploy/systemd/packhouse.service": `/usr/bin/node ${memoryOptions.node.join(" ")} /opt`,
    "deploy/Containerfile": JSON.stringify(["node", ...memoryOptions.node, "server/dist/packhouse.js"]).replaceAll(
      ",",
      ", ",
    ),
  };
  for (const [file, start] of Object.entries(starts)) {
    const text = textOf(file);
    for (const part of [start, ...environment]) expect([file, text]).toEqual([file, expect.stringContaining(part)]);
  }
});

test("builds of the image see every file that they copy, and no tests or built files", () => {
  const copied = [...textOf("deploy/Containerfile").matchAll(/^COPY (?!--from=)(.+) \S+$/gm)]
    .flatMap(([, sources = ""]) => sources.split(" "))
    .filter((source) => source !== ".");
  expect(copied).toEqual(expect.arrayContaining(["package-lock.json", "server/package.json", "server"]));
  expect(copied.filter((source) => !isInImageContext(source))).toEqual([]);
  const workspaces = z.object({ workspaces: z.array(z.string()) }).parse(JSON.parse(textOf("package.json"))).workspaces;
  expect(workspaces.filter((workspace) => !isInImageContext(`${workspace}/package.json`))).toEqual([]);
  for (const path of [
    "server/testing/product.ts",
    "server/app/delivery.test.ts",
    "console/dist",
    "data",
    "e2e/clients",
  ])
    expect([path, isInImageContext(path)]).toEqual([path, false]);
});

/** Dotted paths of all values that are not maps, and of empty maps. */
function leavesOf(value: unknown, prefix = ""): string[] {
  if (!isRecord(value) || Object.keys(value).length === 0) return [prefix];
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, prefix ? `${prefix}.${key}` : key));
}

const chart = "deploy/helm/packhouse";
const templates = filesIn(`${chart}/templates`, /\.(yaml|tpl|txt)$/).map((file) => ({ file, text: textOf(file) }));
const values: unknown = parseYaml(textOf(`${chart}/values.yaml`));

describe("the chart", () => {
  const schema = z.record(z.string(), z.unknown()).parse(JSON.parse(textOf(`${chart}/values.schema.json`)));
  const validate = new Ajv({ strict: true, allErrors: true, allowUnionTypes: true }).compile(schema);
  const needed = {
    publicUrl: "https://packages.example.org",
    database: { existingSecret: "database" },
    storage: { url: "s3://packages?region=eu-central-1" },
  };

  test("has a schema that requires exactly what has no default", () => {
    expect(validate(values)).toBe(false);
    const missing = new Set(validate.errors?.map(({ instancePath }) => instancePath));
    expect(missing).toEqual(new Set(["/publicUrl", "/database/existingSecret", "/storage/url"]));
    expect(validate(merged(values, needed))).toBe(true);
  });

  test("refuses a value that it does not know", () => {
    expect(validate(merged(values, { ...needed, replicas: 3 }))).toBe(false);
  });

  test("uses every value it declares, and declares every value it uses", () => {
    const used = templates.flatMap(({ text }) =>
      [...text.matchAll(/\.Values\.([A-Za-z.]+)/g)].map(([, path = ""]) => path),
    );
    const leaves = leavesOf(values);
    const covers = (path: string, leaf: string) => leaf === path || leaf.startsWith(`${path}.`);
    expect(used.filter((path) => !leaves.some((leaf) => covers(path, leaf)))).toEqual([]);
    expect(leaves.filter((leaf) => !used.some((path) => covers(path, leaf)))).toEqual([]);
  });

  test("opens and closes every block of its templates", () => {
    for (const { file, text } of templates) {
      const actions = [...text.matchAll(/\{\{-?\s*(\w+)/g)].map(([, word = ""]) => word);
      const opened = actions.filter((word) => ["if", "with", "range", "define"].includes(word)).length;
      expect([file, actions.filter((word) => word === "end").length]).toEqual([file, opened]);
    }
  });
});

function merged(base: unknown, over: unknown): unknown {
  if (!isRecord(base) || !isRecord(over)) return over;
  return Object.fromEntries(
    [...new Set([...Object.keys(base), ...Object.keys(over)])].map((key) => [
      key,
      key in over ? merged(base[key], over[key]) : base[key],
    ]),
  );
}
const isRecord = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === "object" && !Array.isArray(value);
