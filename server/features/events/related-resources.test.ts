import type { ResourceType } from "@packhouse/contract/events";
import { expectTypeOf, test } from "vitest";
import type { ResourceReaders } from "./related-resources.ts";

test("events need a reader for the records of each type: without one of them, nothing compiles", () => {
  expectTypeOf<keyof ResourceReaders>().toEqualTypeOf<ResourceType>();
  expectTypeOf<Omit<ResourceReaders, "USER">>().not.toExtend<ResourceReaders>();
});
