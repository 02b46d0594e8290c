import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "oxc-parser";
import { expect, test } from "vitest";

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

/** Elements with `disabled` and no `description` that says why; a tooltip is no control. */
function disabledControls(source: string, path: string): string[] {
  const found: string[] = [];
  const inspect = (value: unknown): void => {
    if (Array.isArray(value)) for (const one of value) inspect(one);
    if (!isNode(value)) return;
    if (value.type === "JSXOpeningElement" && Array.isArray(value.attributes)) {
      const names = namesIn(value.attributes);
      if (names.has("disabled") && !names.has("description") && nameOf(value.name) !== "Tooltip")
        found.push(nameOf(value.name));
    }
    for (const part of Object.values(value)) inspect(part);
  };
  inspect(parseSync(path, source).program);
  return found;
}

test("no control is disabled without a reason that keyboards and screen readers reach", () => {
  const silent = components.flatMap((path) =>
    disabledControls(readFileSync(join(folder, path), "utf8"), path).map((element) => `${path}: ${element}`),
  );
  // `BlockableButton` and `BlockableCheckbox` say why.
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

test("password fields are those that state their error to screen readers and forms", () => {
  const others = components.filter(
    (path) =>
      path !== "ui/forms/password-field.tsx" && /<PasswordInput\b/.test(readFileSync(join(folder, path), "utf8")),
  );
  expect(others).toEqual([]);
});
