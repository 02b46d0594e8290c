import { expect, test, vi } from "vitest";
import { storedUploads, storeUploads } from "./stored-uploads.ts";
import type { Upload } from "./upload-queue.ts";

const user = 7;
const quota = 2000;
const upload = (notes: string): Upload => ({
  id: 1,
  fileName: "tidetable_1.0.tar.gz",
  file: undefined,
  options: { technology: "R", repository: "north", replace: false, notes, generateManual: false },
  state: { kind: "stopped" },
  losses: 0,
});

test("uploads that are too large for the tab's storage are still sent, and no older state is shown", () => {
  const stored = new Map<string, string>();
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem(key: string, value: string) {
      if (value.length > quota) throw new DOMException("full", "QuotaExceededError");
      stored.set(key, value);
    },
    removeItem: (key: string) => stored.delete(key),
  });
  storeUploads(user, [upload("")]);
  expect(storedUploads(user)).toHaveLength(1);
  expect(storedUploads(user + 1)).toEqual([]);
  storeUploads(user, [upload("x".repeat(quota))]);
  expect(storedUploads(user)).toEqual([]);
});
