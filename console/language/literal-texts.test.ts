import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "oxc-parser";
import { describe, expect, test } from "vitest";

const folder = join(import.meta.dirname, "..");
const modules = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
  (path) => /(?<!\.test)\.tsx?$/.test(path) && !/^(node_modules|dist|language)\//.test(path),
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

/** Words between two values of a template, as in a sentence. */
const isBetweenValues = (text: string): boolean => /^ +\p{L}+( +\p{L}+)* +$/u.test(text);

/** Words in a module that belong into a catalog. Errors for developers are not among them. */
function literalTexts(source: string, path: string): string[] {
  const found: string[] = [];
  const inspect = (value: unknown): void => {
    if (Array.isArray(value)) for (const one of value) inspect(one);
    if (!isNode(value)) return;
    if ((value.type === "NewExpression" || value.type === "CallExpression") && isForDevelopers(value.callee)) return;
    if (value.type === "TemplateLiteral" && Array.isArray(value.quasis))
      found.push(...value.quasis.slice(1, -1).map(textOf).filter(isBetweenValues));
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

const isForDevelopers = (callee: unknown): boolean =>
  isNode(callee) && (callee.type === "Super" || (callee.type === "Identifier" && /Error$/.test(String(callee.name))));
const textOf = (quasi: unknown): string => String(isNode(quasi) && (quasi.value as { cooked: unknown }).cooked);

describe("modules", () => {
  test("contain no text of their own", () => {
    const wrong = modules.flatMap((path) =>
      literalTexts(readFileSync(join(folder, path), "utf8"), path).map((text) => `${path}: ${text}`),
    );
    expect(modules.length).toBeGreaterThan(200);
    expect(wrong).toEqual([]);
  });

  test("are detected if they do", () => {
    const component = `const A = () => <p title="Some words">Hello there {"world here"} <i aria-label="x" /></p>;`;
    expect(literalTexts(component, "a.tsx")).toEqual(["Some words", "Hello there", "world here"]);
  });

  test("are detected if they put words between values", () => {
    const module = `const label = ({ name, place }) => \`\${name} in the \${place}\`; throw new Error(\`\${a} of \${b}\`);`;
    expect(literalTexts(module, "a.ts")).toEqual([" in the "]);
  });
});
