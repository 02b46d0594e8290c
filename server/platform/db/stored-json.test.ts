import { expect, test } from "vitest";
import { storedJson } from "./stored-json.ts";

test.each([
  ["a\0b", "ab"],
  ["a\\u0000b", "a\\u0000b"],
  ["\0\\u0000", "\\u0000"],
  ["half \ud800 pair", "half \ufffd pair"],
  ["whole \ud83d\ude00 pair", "whole \ud83d\ude00 pair"],
])("%j is kept as %j", (given, kept) => {
  expect(JSON.parse(storedJson({ deep: [{ text: given }] }))).toEqual({ deep: [{ text: kept }] });
});
