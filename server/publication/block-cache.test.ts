import { expect, test } from "vitest";
import { createBlockCache } from "./block-cache.ts";

test("a block cache forgets what was not used for longest when it is full", () => {
  const cache = createBlockCache(40);
  for (const name of ["a", "b", "c", "d"]) cache.put(name, Buffer.alloc(10, name));
  cache.get("a");
  cache.put("e", Buffer.alloc(10, "e"));
  expect(cache.get("b")).toBeUndefined();
  expect(cache.get("a")?.toString()).toBe("aaaaaaaaaa");
  expect(cache.get("e")?.toString()).toBe("eeeeeeeeee");
});

test("a block cache leaves out what would push out everything else", () => {
  const cache = createBlockCache(40);
  cache.put("large", Buffer.alloc(11));
  expect(cache.get("large")).toBeUndefined();
});
