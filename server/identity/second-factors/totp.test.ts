import { describe, expect, test } from "vitest";
import { newTotpSecret, secretText, stepOfCode, totpAddress } from "./totp.ts";

/** The secret of RFC 6238, appendix B, for SHA-1. */
const secret = Buffer.from("12345678901234567890");

describe("a code of an authenticator app", () => {
  // The last six of the eight digits in the appendix.
  test.for([
    [59, "287082"],
    [1_111_111_109, "081804"],
    [1_111_111_111, "050471"],
    [1_234_567_890, "005924"],
    [2_000_000_000, "279037"],
    [20_000_000_000, "353130"],
  ] as const)("is accepted at second %d of RFC 6238", ([second, code]) => {
    const now = new Date(second * 1000);
    expect(stepOfCode(secret, code, now)).toBe(Math.floor(second / 30));
    expect(stepOfCode(secret, ` ${code.slice(0, 3)} ${code.slice(3)} `, now)).toBe(Math.floor(second / 30));
  });

  test("is accepted one step early or late, and no further", () => {
    const at = (second: number) => stepOfCode(secret, "081804", new Date(second * 1000));
    const step = Math.floor(1_111_111_109 / 30);
    const [first, last] = [step * 30, step * 30 + 29];
    expect([first - 30, first, last, last + 30].map(at)).toEqual([step, step, step, step]);
    expect([first - 31, last + 31].map(at)).toEqual([undefined, undefined]);
  });

  test.for(["", "28708", "2870820", "28708a", "２８７０８２", "-87082", "0x1234", "1e5555"])("is not %j", (code) => {
    expect(stepOfCode(secret, code, new Date(59_000))).toBeUndefined();
  });
});

describe("a new secret", () => {
  test("has 160 bits, which the text and the address for the app both carry", () => {
    const made = newTotpSecret();
    expect(made).toHaveLength(20);
    expect(secretText(secret)).toBe("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
    const address = new URL(totpAddress(made, "Acme: Packages", "a:b@example.org"));
    expect(address.protocol).toBe("otpauth:");
    expect(decodeURIComponent(address.pathname)).toBe("/Acme  Packages:a b@example.org");
    expect(Object.fromEntries(address.searchParams)).toEqual({
      issuer: "Acme  Packages",
      secret: secretText(made),
      algorithm: "SHA1",
      digits: "6",
      period: "30",
    });
  });
});
