import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { MantineProvider, NumberInput, Select, Textarea, TextInput } from "@mantine/core";
import i18next from "i18next";
import { parseSync } from "oxc-parser";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { initReactI18next } from "react-i18next";
import { expect, test } from "vitest";
import { en } from "../../language/en.ts";
import { PasswordField } from "./password-field.tsx";

await i18next.use(initReactI18next).init({ lng: "en", resources: { en: { translation: en } } });

const folder = join(import.meta.dirname, "../..");
const components = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
  (path) => path.endsWith(".tsx") && !/^(node_modules|dist)\//.test(path),
);

interface Node {
  type: string;
  [key: string]: unknown;
}
const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && "type" in value;
const nameOf = (node: unknown): string => (isNode(node) && typeof node.name === "string" ? node.name : "");

/** Names of attributes, and of properties that are spread into them. */
function namesIn(attributes: readonly unknown[]): Set<string> {
  const names = new Set<string>();
  const inspect = (value: unknown): void => {
    if (Array.isArray(value)) for (const one of value) inspect(one);
    if (!isNode(value)) return;
    if (value.type === "JSXAttribute") names.add(nameOf(value.name));
    else if (value.type === "Property") names.add(nameOf(value.key));
    else for (const part of Object.values(value)) inspect(part);
  };
  inspect(attributes);
  return names;
}

interface FoundElement {
  name: string;
  attributes: ReadonlySet<string>;
}

function elementsIn(source: string, path: string): FoundElement[] {
  const found: FoundElement[] = [];
  const inspect = (value: unknown): void => {
    if (Array.isArray(value)) for (const one of value) inspect(one);
    if (!isNode(value)) return;
    if (value.type === "JSXOpeningElement" && Array.isArray(value.attributes))
      found.push({ name: nameOf(value.name), attributes: namesIn(value.attributes) });
    for (const part of Object.values(value)) inspect(part);
  };
  inspect(parseSync(path, source).program);
  return found;
}

/** Elements with `disabled` and no `description` that says why; a tooltip is no control. */
const disabledControls = (source: string, path: string): string[] =>
  elementsIn(source, path)
    .filter(({ name, attributes: all }) => all.has("disabled") && !all.has("description") && name !== "Tooltip")
    .map(({ name }) => name);

test("no control is disabled without a reason that keyboards and screen readers reach", () => {
  const silent = components.flatMap((path) =>
    disabledControls(readFileSync(join(folder, path), "utf8"), path).map((element) => `${path}: ${element}`),
  );
  // `BlockableButton` and `Checkbox` say why.
  expect(silent).toEqual([]);
});

test("a control that is disabled without a reason is found", () => {
  expect(disabledControls("const A = () => <Button disabled={busy}>x</Button>;", "a.tsx")).toEqual(["Button"]);
  expect(disabledControls('const A = () => <Select disabled description="why" />;', "a.tsx")).toEqual([]);
});

test("every form is sent the same way", () => {
  const own = components.filter((path) => /<form\b/.test(readFileSync(join(folder, path), "utf8")));
  expect(own).toEqual([join("ui", "forms", "form.tsx")]);
});

const statingError = { NumberInput, PasswordField, Select, Textarea, TextInput };
/** Of ours, which pass their error on to one of these. */
const passingOn = ["CodeInput", "ServerSelect"];

test.each(Object.entries(statingError))("%s states its error to screen readers and forms", (_name, Field) => {
  const field = createElement<{ error?: string }>(Field, { error: "missing" });
  expect(renderToStaticMarkup(createElement(MantineProvider, null, field))).toContain('aria-invalid="true"');
});

test("no other field has an error, because its form would be sent anyway", () => {
  const known = new Set([...Object.keys(statingError), ...passingOn]);
  const fields = components
    .filter((path) => path !== join("ui", "forms", "password-field.tsx"))
    .flatMap((path) => elementsIn(readFileSync(join(folder, path), "utf8"), path));
  const withError = fields.filter(({ attributes }) => attributes.has("error")).map(({ name }) => name);
  expect(withError.length).toBeGreaterThan(20);
  expect(withError.filter((name) => !known.has(name))).toEqual([]);
  expect(fields.filter(({ name }) => name === "PasswordInput")).toEqual([]);
});

test("the button that shows a password is reached by keyboard and has a name in the user's language", () => {
  const markup = renderToStaticMarkup(createElement(MantineProvider, null, createElement(PasswordField)));
  expect(markup).toContain('aria-label="Show the password"');
  expect(markup).toMatch(/<button[^>]*tabindex="0"/);
});
