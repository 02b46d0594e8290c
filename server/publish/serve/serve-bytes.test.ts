import { describe, expect, test } from "vitest";
import { matches, readRange } from "./serve-bytes.ts";

describe("a range of a file of 100 bytes", () => {
  test.each([
    ["bytes=0-9", { start: 0, end: 9 }],
    ["bytes=90-", { start: 90, end: 99 }],
    ["bytes=90-500", { start: 90, end: 99 }],
    ["bytes=-10", { start: 90, end: 99 }],
    ["bytes=-500", { start: 0, end: 99 }],
    ["bytes=100-", "unsatisfiable"],
    ["bytes=-0", "unsatisfiable"],
    ["bytes=9-0", undefined],
    ["bytes=0-1,5-6", undefined],
    ["bytes=-", undefined],
    ["lines=0-1", undefined],
  ])("%s", (text, range) => {
    expect(readRange(text, 100)).toEqual(range);
  });
});

test("a client has the file if one of its tags matches, weak or strong", () => {
  expect(matches(undefined, '"a"')).toBe(false);
  expect(matches('"b"', '"a"')).toBe(false);
  expect(matches('"b", W/"a"', '"a"')).toBe(true);
  expect(matches("*", '"a"')).toBe(true);
});
