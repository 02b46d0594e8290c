import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseSync, Visitor } from "oxc-parser";
import { describe, expect, test } from "vitest";

const project = resolve(import.meta.dirname, "../..");
const names = new Set<unknown>(["R", "Python"]);
const paths = new Set<unknown>(["r", "python"]);

interface Side {
  type: string;
  value?: unknown;
  start: number;
  end: number;
}

/** Comparisons with the name of a technology, or with the part of an address that stands for one. */
function comparisonsIn(path: string, source: string): string[] {
  if (!/["'](r|python)["']/i.test(source)) return []; // most files need not be parsed
  const { program, errors } = parseSync(path, source);
  expect([path, errors]).toEqual([path, []]);
  const found: string[] = [];
  const textOf = ({ start, end }: { start: number; end: number }) => source.slice(start, end);
  const isName = (side: Side, compared: Side) =>
    side.type === "Literal" &&
    (names.has(side.value) || (paths.has(side.value) && /technology/i.test(textOf(compared))));
  new Visitor({
    BinaryExpression(node) {
      if (/^[!=]==?$/.test(node.operator) && (isName(node.left, node.right) || isName(node.right, node.left)))
        found.push(`${path}: ${textOf(node)}`);
    },
    SwitchStatement(node) {
      for (const { test } of node.cases)
        if (test && isName(test, node.discriminant)) found.push(`${path}: case ${textOf(test)}`);
    },
  }).visit(program);
  return found;
}

const sources = ["contract", "formats", "inspection", "server", "console"].flatMap((workspace) =>
  readdirSync(join(project, workspace), { recursive: true, encoding: "utf8" })
    .map((path) => join(workspace, path))
    .filter((path) => /\.tsx?$/.test(path) && !/(^|\/)(node_modules|dist|testing)\/|\.(test|test-d)\.tsx?$/.test(path)),
);

describe("a technology", () => {
  test("is asked for what differs, not compared with a name", () => {
    expect(sources.length).toBeGreaterThan(400);
    expect(sources.flatMap((path) => comparisonsIn(path, readFileSync(join(project, path), "utf8")))).toEqual([]);
  });

  test.each([
    'if (row.technology === "R") publish();',
    'const separator = "Python" != it.kind ? "_" : "-";',
    'const technology = said.technology === "r" ? 1 : 2;',
    'switch (technology) { case "R": publish(); }',
    'const tile = <b>{item.technology !== "Python" && "R"}</b>;',
  ])("is found when it is compared: %s", (source) => {
    expect(comparisonsIn("example.tsx", source)).toHaveLength(1);
  });

  test("is not found in other comparisons", () => {
    const source = 'const one = a.technology === b.technology, key = event.key === "r", list = technologies["R"];';
    expect(comparisonsIn("example.ts", source)).toEqual([]);
  });
});
