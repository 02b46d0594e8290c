import { describe, expect, test } from "vitest";
import { type Forgery, softwarePasskey } from "../../testing/second-factors/software-passkey.ts";
import { attestsNothing, relyingPartyOf } from "./passkeys.ts";
import { codesPerUser, hashOfRecoveryCode, newRecoveryCodes } from "./recovery-codes.ts";
import { factorName, mayNotAdd, mayNotRemove, secondStepMethods } from "./second-factor.ts";

describe("the second step of a sign-in", () => {
  test("offers what the user has and what works here", () => {
    const all = { passkeysWork: true, recoveryCodes: 3 };
    expect(secondStepMethods(["totp", "passkey"], all)).toEqual(["passkey", "totp", "recoveryCode"]);
    expect(secondStepMethods(["passkey"], { passkeysWork: false, recoveryCodes: 1 })).toEqual(["recoveryCode"]);
    expect(secondStepMethods(["totp"], { passkeysWork: true, recoveryCodes: 0 })).toEqual(["totp"]);
  });
});

describe("second factors of a user", () => {
  test("are at most ten, and at least one where the role requires it", () => {
    expect([mayNotAdd(9), mayNotAdd(10)]).toEqual([[], ["second.factor.too.many"]]);
    expect(mayNotRemove(1, true)).toEqual(["second.factor.last.required"]);
    expect([mayNotRemove(2, true), mayNotRemove(1, false)]).toEqual([[], []]);
  });

  test("have names that can be shown", () => {
    expect(factorName("  My phone ")).toBe("My phone");
    expect(["", "  ", "a".repeat(101), "a\nb", "a\u0007"].map(factorName)).toEqual(Array(5).fill(undefined));
  });
});

describe("recovery codes", () => {
  test("are ten distinct codes of 80 bits", () => {
    const codes = newRecoveryCodes();
    expect(new Set(codes).size).toBe(codesPerUser);
    for (const code of codes) expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/);
  });

  test("are found in any spelling", () => {
    const hash = hashOfRecoveryCode("7K2M-0Q9X-1ABC-DEFG");
    for (const typed of ["7k2m0q9x1abcdefg", " 7K2M 0Q9X 1ABC DEFG ", "7K2M-OQ9X-lABC-DEFG", "7k2m-oq9x-iabc-defg"])
      expect(hashOfRecoveryCode(typed)).toBe(hash);
    expect(hashOfRecoveryCode("7K2M-0Q9X-1ABC-DEFH")).not.toBe(hash);
  });
});

describe("passkeys", () => {
  test("are only accepted without attestation, whose verification could contact other servers", () => {
    const made = (forgery: Forgery) => softwarePasskey("https://packages.example.org").create("Y2hhbGxlbmdl", forgery);
    expect(attestsNothing(made({}))).toBe(true);
    // Self-attestation names no manufacturer.
    expect(attestsNothing(made({ format: "packed" }))).toBe(true);
    expect(attestsNothing(made({ format: "packed", certificate: true }))).toBe(false);
    for (const format of ["android-key", "android-safetynet", "apple", "fido-u2f", "tpm"])
      expect(attestsNothing(made({ format }))).toBe(false);
  });

  test.for([
    ["https://packages.example.org/packhouse", { id: "packages.example.org", origin: "https://packages.example.org" }],
    ["https://packages.example.org:8443", { id: "packages.example.org", origin: "https://packages.example.org:8443" }],
    ["http://localhost:8017", { id: "localhost", origin: "http://localhost:8017" }],
    ["http://packages.example.org", undefined],
    ["https://192.0.2.1", undefined],
    ["http://127.0.0.1:8017", undefined],
    ["https://[::1]:8017", undefined],
  ] as const)("below %s belong to its host, where browsers allow them", ([address, party]) => {
    expect(relyingPartyOf(address)).toEqual(party);
  });
});
