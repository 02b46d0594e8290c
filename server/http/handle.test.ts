import type { ExportFormat } from "@packhouse/contract/event-export";
import {
  type deleteAccessToken,
  type editAccessToken,
  listAccessTokens,
} from "@packhouse/contract/operations/access-tokens";
import { readVersion } from "@packhouse/contract/operations/configuration";
import type { exportEvents } from "@packhouse/contract/operations/events";
import type { downloadVignette } from "@packhouse/contract/operations/package-contents";
import type { createTemporaryPassword } from "@packhouse/contract/operations/passwords";
import { readUser } from "@packhouse/contract/operations/users";
import { describe, expectTypeOf, test } from "vitest";
import type { App } from "./application.ts";
import type { Call, Handler } from "./handle.ts";
import type { PatchOperation } from "./patch/json-patch.ts";

/** What the types of an operation require of its handler; checked by `tsc`, never run. */
describe("a handler", () => {
  test("gets the parameters, the query and the body of its operation", () => {
    expectTypeOf<Call<typeof readUser>["id"]>().toEqualTypeOf<number>();
    expectTypeOf<Call<typeof downloadVignette>["file"]>().toEqualTypeOf<string>();
    expectTypeOf<Call<typeof exportEvents>["query"]["format"]>().toEqualTypeOf<ExportFormat | undefined>();
    expectTypeOf<Call<typeof createTemporaryPassword>["body"]>().toEqualTypeOf<{
      keepAccessTokens?: boolean | undefined;
    }>();
    expectTypeOf<Call<typeof editAccessToken>["body"]>().toEqualTypeOf<PatchOperation[]>();
    expectTypeOf<Call<typeof readVersion>>().not.toHaveProperty("id");
    expectTypeOf<Call<typeof readVersion>>().not.toHaveProperty("body");
  });

  test("returns what its operation answers", () => {
    expectTypeOf<() => Promise<string>>().toExtend<Handler<typeof readVersion>>();
    expectTypeOf<() => Promise<number>>().not.toExtend<Handler<typeof readVersion>>();
    expectTypeOf<() => Promise<void>>().toExtend<Handler<typeof deleteAccessToken>>();
    expectTypeOf<() => Promise<string>>().not.toExtend<Handler<typeof deleteAccessToken>>();
    expectTypeOf<() => Promise<void>>().not.toExtend<Handler<typeof downloadVignette>>();
  });

  test("of the wrong shape does not compile", () => {
    const register = (app: App) => {
      // @ts-expect-error: a version is a text
      app.handle(readVersion, async () => 12);
      // @ts-expect-error: there is no file in this path
      app.handle(readUser, async ({ file }) => Promise.reject(file));
      // @ts-expect-error: a single record is not a list
      app.list(readUser, async () => ({ rows: [], total: 0 }), String);
      app.list(
        listAccessTokens,
        // @ts-expect-error: access tokens have no technology
        async ({ filters }) => ({ rows: [], total: filters.technology }),
        (row: never) => row,
      );
    };
    expectTypeOf(register).returns.toEqualTypeOf<void>();
  });
});
