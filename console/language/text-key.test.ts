import type { AnyEventType, AnyResourceType, anyResourceFilter } from "@packhouse/contract/events";
import { describe, expectTypeOf, test } from "vitest";
import type { RefusalCode } from "./code-texts.ts";
import type { Catalog } from "./en.ts";
import type { TextKey } from "./i18n.ts";
import type { pl } from "./pl.ts";

// The compiler checks the lines below; running them proves nothing more.
describe("the key of a text", () => {
  test("is one of the catalog's keys", () => {
    expectTypeOf<"column.submitter">().toExtend<TextKey>();
    // @ts-expect-error: it is misspelled
    expectTypeOf<"column.submiter">().toExtend<TextKey>();
    expectTypeOf<string>().not.toExtend<TextKey>();
  });

  test("exists for every code by which the server refuses, in both languages", () => {
    expectTypeOf<"name.mismatch" | "second.factor.refused">().toExtend<RefusalCode>();
    expectTypeOf<RefusalCode>().toExtend<keyof Catalog["code"]>();
    expectTypeOf<RefusalCode>().toExtend<keyof (typeof pl)["code"]>();
    // @ts-expect-error: a code without a text would look like this one
    expectTypeOf<RefusalCode | "error.nobody.has.heard.of">().toExtend<keyof Catalog["code"]>();
    expectTypeOf<"success.request.processed">().not.toExtend<RefusalCode>();
  });

  test("exists for every subject of an event and everything that can happen", () => {
    type ResourceName = (typeof anyResourceFilter)[AnyResourceType];
    expectTypeOf<`eventResource.${ResourceName}` | `event.${AnyEventType}`>().toExtend<TextKey>();
    expectTypeOf<ResourceName>().toExtend<keyof (typeof pl)["eventResource"]>();
    // @ts-expect-error: nothing of this kind has a text
    expectTypeOf<`eventResource.${ResourceName | "parcel"}`>().toExtend<TextKey>();
  });
});
