import { afterEach, expect, test, vi } from "vitest";
import { NotStored, siteStorage, tabStorage } from "./browser-storage.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

test("a browser that blocks storage reads as empty, and only what must be kept fails", () => {
  Object.defineProperty(globalThis, "localStorage", {
    configurable: true,
    get() {
      throw new DOMException("blocked", "SecurityError");
    },
  });
  expect(siteStorage.read("theme")).toBeNull();
  expect(siteStorage.write("theme", "dark")).toBe(false);
  expect(siteStorage.names("")).toEqual([]);
  expect(() => siteStorage.remove("theme")).not.toThrow();
  expect(() => siteStorage.keep("token", "x")).toThrow(NotStored);
});

test("full storage keeps nothing outdated", () => {
  const stored = new Map([["theme", "light"]]);
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem() {
      throw new DOMException("full", "QuotaExceededError");
    },
    removeItem: (key: string) => stored.delete(key),
  });
  expect(tabStorage.read("theme")).toBe("light");
  expect(tabStorage.write("theme", "dark")).toBe(false);
  expect(tabStorage.read("theme")).toBeNull();
});
