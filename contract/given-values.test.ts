import { describe, expect, test } from "vitest";
import { z } from "zod";
import { readGiven } from "./given-values.ts";
import { operations } from "./operations.ts";
import { userReference } from "./references.ts";

describe("a scalar of a request is read in the form that its place expects", () => {
  const nested = z.object({ record: z.object({ id: z.int(), name: z.string().max(5) }).nullish() });

  test.each([
    [z.string(), 14, "14"],
    [z.string(), -1.5, "-1.5"],
    [z.string().max(5).nullish(), true, "true"],
    [z.string().optional(), false, "false"],
    [z.boolean(), "true", true],
    [z.boolean().nullish(), "false", false],
    [z.int(), "15", 15],
    [z.number().optional(), "-3", -3],
    [z.array(z.string()), ["a", 1], ["a", "1"]],
    [z.union([z.string(), z.number()]), 14, 14],
    [z.union([z.strictObject({ a: z.string() }), z.string()]), { a: 1 }, { a: "1" }],
    [z.union([z.strictObject({ a: z.string() }), z.string()]), 5, "5"],
    [z.string().transform((text) => `${text}!`), 1, "1!"],
    [nested, { record: { id: "7", name: 8 } }, { record: { id: 7, name: "8" } }],
    [nested, { record: "" }, { record: null }],
    [userReference, { id: "3", name: 5, links: [] }, { id: 3, name: 5, links: [] }],
  ] as const)("%#: %j", (schema, given, read) => {
    expect(readGiven<z.ZodType>(schema, given).data).toEqual(read);
  });

  test.each([
    ["a whole number that is not exact", z.string(), 2 ** 60],
    ["a number without an end", z.string(), Number.POSITIVE_INFINITY],
    ["null", z.string(), null],
    ["a list", z.string(), ["a"]],
    ["a record", z.string(), {}],
    ["a word", z.boolean(), "yes"],
    ["a number", z.boolean(), 1],
    ["an empty text", z.int(), ""],
    ["a text with a sign of its own", z.int(), "+1"],
    ["a text that is too long", z.int(), "1".repeat(16)],
    ["an empty text for a record that is required", z.object({}), ""],
    ["an inherited name", z.strictObject({}), JSON.parse('{"__proto__": 1}')],
  ] as const)("but not %s", (_what, schema, given) => {
    expect(readGiven<z.ZodType>(schema, given).success).toBe(false);
  });
});

test("every text of a body may be sent as a number, and every flag as text", () => {
  const forms = Object.entries(operations).flatMap(([name, { body }]) =>
    typeof body === "object" && "json" in body ? scalarsOf(body.json).map((one) => [name, ...one] as const) : [],
  );
  const refused = forms.filter(([, , schema, given]) => !readGiven(schema, given).success);
  expect(refused.map(([name, path]) => `${name} ${path}`)).toEqual([]);
  expect(forms.length).toBeGreaterThan(20);
});

/** Each text and flag of a body with its place, and a value in another form. */
function scalarsOf(schema: z.core.$ZodType, path = ""): [path: string, schema: z.ZodType, given: unknown][] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return scalarsOf(schema.unwrap(), path);
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => scalarsOf(option, path));
  if (schema instanceof z.ZodObject)
    return Object.entries<z.core.$ZodType>(schema.shape).flatMap(([name, field]) =>
      scalarsOf(field, `${path}/${name}`),
    );
  if (schema instanceof z.ZodString) return [[path, schema, 123456]];
  if (schema instanceof z.ZodBoolean) return [[path, schema, "true"]];
  return [];
}
