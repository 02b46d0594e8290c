import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, expectTypeOf, test } from "vitest";
import type { Received, Sent } from "./answer.ts";
import { type ParametersOf, pathOf, type QueryOf, type ReceivedFrom, type SentBy } from "./operation.ts";
import type { editAccessToken, listAccessTokens } from "./operations/access-tokens.ts";
import type { readEvent } from "./operations/events.ts";
import { packageOf } from "./operations/packages.ts";
import type { endSession } from "./operations/sessions.ts";
import { readOwnUser, readUser } from "./operations/users.ts";
import { type OperationName, operations } from "./operations.ts";
import type { rPackageItem } from "./packages.ts";
import type { userItem } from "./users.ts";

describe("the table of operations", () => {
  test("has every operation that a file declares, each under its own name", async () => {
    const folder = join(import.meta.dirname, "operations");
    const files: object[] = await Promise.all(readdirSync(folder).map((name) => import(join(folder, name))));
    const declared = files.flatMap((file) => Object.values(file).flatMap(declaredIn));
    expect(declared.length).toBeGreaterThan(90);
    const listed = new Set<unknown>(Object.values(operations));
    expect(declared.filter((operation) => !listed.has(operation))).toEqual([]);
  });

  test("knows the name of each call", () => {
    expectTypeOf<"GET /users/:id">().toExtend<OperationName>();
    expectTypeOf<"PATCH /python/packages/:id">().toExtend<OperationName>();
    expectTypeOf<"GET /user/:id">().not.toExtend<OperationName>();
  });
});

/** An operation, or those of each technology. */
function declaredIn(value: unknown): unknown[] {
  if (typeof value !== "object" || value === null) return [];
  return "permission" in value ? [value] : Object.values(value).flatMap(declaredIn);
}

describe("a path", () => {
  test("is filled with the operation's parameters", () => {
    expect(pathOf(readUser, { id: 12 })).toBe("/users/12");
    expect(pathOf(packageOf.R.download, { id: 12, file: "a b/c" })).toBe("/r/packages/12/download/a%20b%2Fc");
    expect(pathOf(readOwnUser, {})).toBe("/users/me");
    // @ts-expect-error: there is no user without an id
    pathOf(readUser, {});
    // @ts-expect-error: ids are numbers
    pathOf(readUser, { id: "12" });
    expectTypeOf<ParametersOf<typeof packageOf.Python.download>>().toEqualTypeOf<{ id: number; file: string }>();
  });
});

test("an operation knows its query and its response", () => {
  expectTypeOf<QueryOf<typeof readEvent>>().toEqualTypeOf<{
    purged?: boolean | undefined;
    security?: boolean | undefined;
  }>();
  expectTypeOf<SentBy<typeof readUser>>().toEqualTypeOf<Sent<typeof userItem>>();
  expectTypeOf<ReceivedFrom<typeof packageOf.R.edit>>().toEqualTypeOf<Received<typeof rPackageItem>>();
  expectTypeOf<ReceivedFrom<typeof listAccessTokens>["content"][number]>().toEqualTypeOf<
    ReceivedFrom<typeof editAccessToken>
  >();
  expectTypeOf<ReceivedFrom<typeof endSession>>().toEqualTypeOf<null>();
});
