import { expect, test } from "vitest";
import { isOneEditFrom } from "./similar-name.ts";

test.for([
  ["requests", "request"],
  ["requests", "requestss"],
  ["requests", "reqeusts"],
  ["requests", "requezts"],
  ["requests", "arequests"],
])("%s can be taken for %s", ([one, other]) => {
  expect(isOneEditFrom(one ?? "", other ?? "")).toBe(true);
  expect(isOneEditFrom(other ?? "", one ?? "")).toBe(true);
});

test.for([
  ["requests", "requests"],
  ["requests", "reuqezts"],
  ["requests", "requestsab"],
  ["requests", "tseuqers"],
  ["sf", "sp"],
  ["abcd", "abce"],
])("%s is not taken for %s", ([one, other]) => {
  expect(isOneEditFrom(one ?? "", other ?? "")).toBe(false);
});
