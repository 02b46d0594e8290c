import { expect, test } from "vitest";
import { createBlockCache } from "./block-cache.ts";

test("a full block cache evicts the least recently used block", () => {
  const cache = createBlockCache(40);
  for (const name of ["a", "b", "c", "d"]) cache.put(name, Buffer.alloc(10, name));
  cache.get("a");
  cache.put("e", Buffer.alloc(10, "e"));
  expect(cache.get("b")).toBeUndefined();
  expect(cache.get("a")?.toString()).toBe("aaaaaaaaaa");
  expect(cache.get("e")?.toString()).toBe("eeeeeeeeee");
});

test("a block that was removed makes room for another one", () => {
  const cache = createBlockCache(40);
  for (const name of ["a", "b", "c", "d"]) cache.put(name, Buffer.alloc(10, name));
  cache.remove("b");
  cache.remove("unknown");
  cache.put("e", Buffer.alloc(10, "e"));
  expect(["a", "b", "c", "d", "e"].filter((name) => cache.get(name))).toEqual(["a", "c", "d", "e"]);
});

test("a block cache skips blocks that would evict everything else", () => {
  const cache = createBlockCache(40);
  cache.put("large", Buffer.alloc(11));
  expect(cache.get("large")).toBeUndefined();
});

test("a block cache keeps the bytes of a block and not the memory around them", () => {
  const cache = createBlockCache(1000);
  const block = Buffer.from("a window on the pool");
  expect(block.buffer.byteLength).toBeGreaterThan(block.length);
  cache.put("small", block);
  const kept = cache.get("small");
  expect([kept?.toString(), kept?.buffer.byteLength]).toEqual(["a window on the pool", block.length]);
});
