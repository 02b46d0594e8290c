import type { ResourceType } from "@packhouse/contract/events";
import { expectTypeOf, test } from "vitest";
import type { ResourceReaders } from "./related-resources.ts";

test("events need a reader for the records of each type: nothing compiles without one", () => {
  expectTypeOf<keyof ResourceReaders>().toEqualTypeOf<ResourceType>();
  expectTypeOf<Omit<ResourceReaders, "USER">>().not.toExtend<ResourceReaders>();
});
