import { describe, expect, test } from "vitest";
import { UnacceptablePackage } from "../unacceptable-package.ts";
import { brokenRules, checkMetadataVersion, readCoreMetadata } from "./core-metadata.ts";

const read = (text: string, encoding: BufferEncoding = "utf8") => readCoreMetadata(Buffer.from(text, encoding));
const head = "Metadata-Version: 2.1\nName: harbor\nVersion: 1.0\n";

describe("core metadata", () => {
  test("is headers with case-insensitive names, then a body in which lines that look like headers are text", () => {
    const it = read(`${head}SUMMARY: Tides\nclassifier: A :: B\nClassifier: C\n\nLicense: MIT is\n\n\nwhat it says.\n`);
    expect(it).toMatchObject({ name: "harbor", version: "1.0", body: "License: MIT is\n\n\nwhat it says." });
    expect(it.first("Summary")).toBe("Tides");
    expect(it.first("License")).toBeNull();
    expect(it.values("Classifier")).toEqual(["A :: B", "C"]);
    expect(it.all("Classifier")).toBe("A :: B, C");
  });

  test("with a zero byte, which no database accepts, is refused", () => {
    for (const text of [`${head}Summary: a\0b\n`, `${head}\na\0b\n`])
      expect(() => read(text)).toThrow(UnacceptablePackage);
  });

  test("unfolds values, and keeps the paragraphs of a description", () => {
    const it = read(
      `${head}License: MIT\n  or so\nDescription: Tides\n        ======\n        \n        High\n          and low.\nPlatform: any\n`,
    );
    expect(it.first("License")).toBe("MIT or so");
    expect(it.first("Description")).toBe("Tides\n======\n\nHigh\n  and low.");
    expect(it.first("Platform")).toBe("any");
    expect(it.body).toBeNull();
  });

  test("may have descriptions that are indented by a bar", () => {
    expect(read(`${head}Description: Tides\n       |\n       |High | low\n`).first("Description")).toBe(
      "Tides\n\nHigh | low",
    );
  });

  test("ends its headers with the first line that is neither header nor continuation", () => {
    expect(read(`${head}High tide\nSummary: none`)).toMatchObject({ body: "High tide\nSummary: none" });
    expect(read(`${head}Summary : none`).first("Summary")).toBeNull();
  });

  test("has no value where old tools wrote UNKNOWN", () => {
    const it = read("Name: harbor\nLicense: UNKNOWN\nSummary: UNKNOWN\n\nUNKNOWN\n");
    expect([it.first("License"), it.all("Summary"), it.body]).toEqual([null, null, null]);
  });

  test("may have a byte order mark, CRLF, and latin1", () => {
    const it = read("\uFEFFName: harbor\r\nVersion: 1.0\r\n\r\nTides\r\n");
    expect(it).toMatchObject({ name: "harbor", version: "1.0", body: "Tides" });
    expect(read("Name: harbor\nAuthor: José", "latin1").first("Author")).toBe("José");
  });

  test("without a single header is unreadable", () => {
    for (const text of ["", "\n\nName: harbor", "<html>"])
      expect(() => read(text)).toThrow("read.python.pkg.info.exception");
  });

  test.each([
    [undefined, true],
    ["1.0", true],
    ["2.4", true],
    ["2.99", true],
    ["2", true],
    ["3.0", false],
    ["20.1", false],
  ])("of version %s is accepted: %s", (version, taken) => {
    const check = () => checkMetadataVersion(read(`${version ? `Metadata-Version: ${version}\n` : ""}Name: harbor\n`));
    if (taken) expect(check).not.toThrow();
    else expect(check).toThrow(UnacceptablePackage);
  });

  test("is checked against every rule, in order", () => {
    expect(brokenRules({ name: "", version: "" })).toEqual(["empty.name", "invalid.package.name", "empty.version"]);
    expect(brokenRules({ name: "-", version: "one" })).toEqual(["invalid.package.name", "invalid.version"]);
    expect(brokenRules({ name: "harbor", version: "1.0" })).toEqual([]);
  });
});
