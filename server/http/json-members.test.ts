import { describe, expect, test } from "vitest";
import { hasTooManyMembers, mostMembers } from "./json-members.ts";

const members = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, at]));
const isTooMuch = (value: unknown) => hasTooManyMembers(Buffer.from(JSON.stringify(value)));

describe("a body of JSON", () => {
  test("has a bounded number of members, objects and arrays", () => {
    expect(isTooMuch(members(mostMembers - 1))).toBe(false);
    expect(isTooMuch(members(mostMembers))).toBe(true);
    expect(isTooMuch(Array.from({ length: mostMembers }, () => ({})))).toBe(true);
    expect(isTooMuch(Array.from({ length: mostMembers }, () => []))).toBe(true);
  });

  test("may have many numbers, and texts with any characters", () => {
    expect(isTooMuch(Array.from({ length: 100_000 }, () => 0))).toBe(false);
    expect(isTooMuch({ text: '{[":\\'.repeat(50_000) })).toBe(false);
    expect(isTooMuch(["\\", ...Array.from({ length: 5_000 }, () => '"')])).toBe(false);
  });
});
