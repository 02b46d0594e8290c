import { expect, test, vi } from "vitest";
import { lastSearch, rememberSearch } from "./last-searches.ts";

test("a tab whose storage is full shows its lists, and a breadcrumb leads to the list as it is by default", () => {
  const stored = new Map([["packhouse.tab:search:/packages", JSON.stringify({ search: "older" })]]);
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem() {
      throw new DOMException("full", "QuotaExceededError");
    },
    removeItem: (key: string) => stored.delete(key),
  });
  expect(lastSearch("/packages")).toEqual({ search: "older" });
  rememberSearch("/packages", { search: "newer" });
  expect(lastSearch("/packages")).toEqual({});
});
