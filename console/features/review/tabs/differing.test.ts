import { expect, test } from "vitest";
import { differing } from "./differing.ts";

test("a parameter that moved is marked where it was and where it is", () => {
  const before = ["table", "day", "value", "lot"];
  const after = ["table", "lot", "day", "value", "workers = NULL"];
  expect(differing(before, after)).toEqual([false, false, false, true]);
  expect(differing(after, before)).toEqual([false, true, false, false, true]);
  expect(differing(before, before)).toEqual([false, false, false, false]);
});
