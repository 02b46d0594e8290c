import { describe, expect, test } from "vitest";
import { secondsLeft } from "./session-token.ts";

const now = Date.parse("2026-11-21T12:00:00Z");
const token = (payload: unknown): string =>
  `${Buffer.from("{}").toString("base64url")}.${Buffer.from(JSON.stringify(payload)).toString("base64url")}.signature`;

describe("the remaining seconds of a token", () => {
  test("are computed from its own claim, whatever its other characters", () => {
    expect(secondsLeft(token({ exp: now / 1000 + 90 }), now)).toBe(90);
    expect(secondsLeft(token({ exp: now / 1000 - 5, name: "Łucja Żak ÿ?~" }), now)).toBe(-5);
  });

  test("are unknown without an expiration, and for other kinds of tokens", () => {
    for (const other of [token({}), token({ exp: "soon" }), token(null), "pkh_0123456789", "a.b.c", ""])
      expect(secondsLeft(other, now)).toBeUndefined();
  });
});
