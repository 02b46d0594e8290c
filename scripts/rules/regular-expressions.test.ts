import { expect, test } from "vitest";
import { riskyExpressions } from "./regular-expressions.ts";

const risks = (code: string) => riskyExpressions("sample.ts", code);

test.for<[string, string]>([
  ["exponential", "const a = /^(a+)+$/;"],
  ["several parts that share the blanks", String.raw`const a = /^a\s*b?\s*c?\s*$/;`],
  ["searched again from each place", String.raw`const a = text.replace(/\/+$/, "");`],
  ["searched again from each word", "const a = /<title[^>]*>/i;"],
  ["given as text", 'const a = new RegExp("^(a|a)*$", "i");'],
  ["given without new", 'const a = RegExp("(a*)*b");'],
  ["given to a method as text", 'const a = text.match("(a*)*b");'],
  ["put together while the product runs", "const a = (part: string) => new RegExp(part);"],
  ["put together for a method", "const a = text.search(`^\\u{61}`);"],
  ["within another part of the language", "class A { #a = [{ b: /(x+x+)+y/ }] }"],
])("refuses an expression that is %s", ([, code]) => {
  expect(risks(code)).toEqual([expect.stringContaining("sample.ts:1 ")]);
});

test.for<[string, string]>([
  ["linear", "const a = /^[a-z]+(?:-[a-z]+)*$/;"],
  ["bounded", "const a = /^[0-9a-f]{64}$/;"],
  ["given as text", 'const a = new RegExp("^[a-z]+$", "u");'],
  ["no expression", "const a = table.search(query).match(other);"],
])("takes one that is %s", ([, code]) => {
  expect(risks(code)).toEqual([]);
});

test("takes an exception with its reason, and none without", () => {
  const risky = "const a = new RegExp(part);";
  expect(risks(`// bounded expression: the parts are names of our own routes\n${risky}`)).toEqual([]);
  expect(risks(`// bounded expression:\n${risky}`)).toHaveLength(1);
  expect(risks(`// bounded expression: a reason that is far away\n\n\n\n\n${risky}`)).toHaveLength(1);
});
