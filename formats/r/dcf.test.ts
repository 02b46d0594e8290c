import { cpuMs, standardMs } from "@packhouse/fixtures/cpu-time";
import { propertyRuns } from "@packhouse/fixtures/property-runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { UnacceptablePackage } from "../unacceptable-package.ts";
import { readDescription } from "./dcf.ts";

const read = (text: string, encoding: BufferEncoding = "utf8") =>
  Object.fromEntries(readDescription(Buffer.from(text, encoding)));

const refusal = (detail: string) =>
  expect.objectContaining({
    codes: ["read.r.package.description.exception"],
    detail,
    constructor: UnacceptablePackage,
  });

test("DESCRIPTION with a zero byte, which no database accepts, is refused", () => {
  expect(() => read("Package: tide\nTitle: a\0b\n")).toThrow(refusal("line 2 has a zero byte"));
});

// Each was verified with `read.dcf()` of R 4.2.2.
describe("reading DESCRIPTION", () => {
  test.each([
    ["a field", "Package: tide", { Package: "tide" }],
    ["blanks around the colon", "Package :   tide  ", { Package: "tide" }],
    ["a value with colons", "URL: https://example.org", { URL: "https://example.org" }],
    ["nothing", "Package: tide\nTitle:", { Package: "tide", Title: "" }],
    [
      "continuation lines that begin with blanks or a tab",
      "Depends: R,\n    methods,\n\tutils",
      { Depends: "R,\nmethods,\nutils" },
    ],
    ["a value that begins on the next line", "Description:\n  Tides.", { Description: "Tides." }],
    ["paragraphs separated by lone dots", "Description: One.\n  .\n  Two.", { Description: "One.\n\nTwo." }],
    ["a dot that is a value", "Title: .", { Title: "." }],
    ["a repeated field, of which the last wins", "Title: One\nTitle: Two", { Title: "Two" }],
    ["case-sensitive names", "title: a\nTitle: b", { title: "a", Title: "b" }],
    ["a name of two words", "Foo Bar: a", { "Foo Bar": "a" }],
    ["empty lines around it", "\n \nTitle: a\n\n\t\n", { Title: "a" }],
    ["CRLF, without a CR in values", "Title: a\r\nURL: b\r\n  c\r\n", { Title: "a", URL: "b\nc" }],
    ["lines ended by CR", "Title: a\rURL: b", { Title: "a", URL: "b" }],
  ])("accepts %s", (_, text, fields) => {
    expect(read(text)).toEqual(fields);
  });

  test.each([
    ["an empty line inside", "Title: a\n\nURL: b", "line 3 begins a second record"],
    ["a line that is not a field", "Title: a\nsome words", "line 2 is not a field"],
    ["a line that begins with #", "Title: a\n# a comment: no", "line 2 is not a field"],
    ["a field without a name", ": a", "line 1 is not a field"],
    ["a continuation line without a field", "  a\nTitle: b", "line 1 does not continue a field"],
    ["a BOM, since R could not install it,", "\uFEFFTitle: a", "line 1 begins with a byte order mark"],
  ])("refuses %s and reports where", (_, text, detail) => {
    expect(() => read(text)).toThrow(refusal(detail));
  });

  test.each([
    ["latin1 according to Encoding", "Encoding: latin1\nAuthor: José", "latin1" as const, "José"],
    ["UTF-8 without an Encoding", "Author: José Ł", "utf8" as const, "José Ł"],
    ["latin1 bytes without an Encoding", "Author: Renée", "latin1" as const, "Renée"],
    ["latin1 that only claims to be UTF-8", "Encoding: UTF-8\nAuthor: Renée", "latin1" as const, "Renée"],
  ])("decodes %s", (_, text, encoding, author) => {
    expect(read(text, encoding).Author).toBe(author);
  });

  test("decodes latin2, which writes ł as B3", () => {
    const bytes = Buffer.concat([Buffer.from("Encoding: latin2\nAuthor: Pawe"), Buffer.from([0xb3])]);
    expect(readDescription(bytes).get("Author")).toBe("Paweł");
  });

  test("keeps what was written", () => {
    const name = fc.stringMatching(/^[A-Za-z][A-Za-z0-9@_/-]{0,20}$/);
    const line = fc.string({ unit: "grapheme" }).map((text) => text.replace(/\s+/g, " ").trim());
    const value = fc.array(line, { minLength: 1, maxLength: 4 }).map((lines) => lines.join("\n").trim());
    // A value that starts with a lone dot keeps it; on later lines a lone dot is an empty line.
    const fields = fc.dictionary(
      name,
      value.filter((text) => !/(^|\n)\.($|\n)/.test(text)),
      { noNullPrototype: true },
    );
    fc.assert(
      fc.property(fields, (written) => {
        const { Encoding: _, ...rest } = written;
        const text = Object.entries(rest).map(
          ([key, lines]) => `${key}: ${lines.replace(/\n(?=\n)/g, "\n  .").replaceAll(/\n(?! {2}\.)/g, "\n  ")}\n`,
        );
        expect(read(text.join(""))).toEqual(rest);
      }),
      propertyRuns(100),
    );
  });

  test("takes no longer for adversarial lines", () => {
    const started = cpuMs();
    expect(() => read(`Title${" ".repeat(2_000_000)}`)).toThrow(UnacceptablePackage);
    expect(standardMs(cpuMs() - started)).toBeLessThan(1000);
  });
});
