import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "oxc-parser";
import { describe, expect, test } from "vitest";

const folder = join(import.meta.dirname, "..");
const components = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
  (path) => path.endsWith(".tsx") && !/^(node_modules|dist)\//.test(path),
);

/** Attributes with text for users. */
const spoken = new Set(["aria-label", "title", "label", "placeholder", "description", "alt", "hint", "verb"]);
/** Names that are the same in every language. */
const names = new Set(["Ctrl", "UTC", "CSV", "JSON", "YYYY-MM-DD", "Py", "R", "v", "(UTC)"]);
const isText = (text: string): boolean =>
  text
    .trim()
    .split(/\s+/)
    .some((word) => /\p{L}{2,}/u.test(word) && !names.has(word.replace(/[.,:]$/, "")));

interface Node {
  type: string;
  [key: string]: unknown;
}
const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && "type" in value;

/** Words in a component that belong into a catalog. */
function literalTexts(source: string, path: string): string[] {
  const found: string[] = [];
  const inspect = (value: unknown): void => {
    if (Array.isArray(value)) for (const one of value) inspect(one);
    if (!isNode(value)) return;
    if (value.type === "JSXText" && isText(String(value.value))) found.push(String(value.value).trim());
    if (value.type === "JSXExpressionContainer" && isNode(value.expression) && value.expression.type === "Literal") {
      const { value: literal } = value.expression;
      if (typeof literal === "string" && isText(literal)) found.push(literal);
    }
    if (value.type === "JSXAttribute" && isNode(value.name) && isNode(value.value)) {
      const { value: literal } = value.value;
      if (spoken.has(String(value.name.name)) && typeof literal === "string" && isText(literal)) found.push(literal);
    }
    for (const part of Object.values(value)) inspect(part);
  };
  inspect(parseSync(path, source).program);
  return found;
}

describe("components", () => {
  test("contain no text of their own", () => {
    const wrong = components.flatMap((path) =>
      literalTexts(readFileSync(join(folder, path), "utf8"), path).map((text) => `${path}: ${text}`),
    );
    expect(components.length).toBeGreaterThan(60);
    expect(wrong).toEqual([]);
  });

  test("are detected if they do", () => {
    const component = `const A = () => <p title="Some words">Hello there {"world here"} <i aria-label="x" /></p>;`;
    expect(literalTexts(component, "a.tsx")).toEqual(["Some words", "Hello there", "world here"]);
  });
});
