import { gzip, tar } from "@packhouse/fixtures/archive-writing";
import { describe, expect, test } from "vitest";
import { bytesOf } from "../byte-source.ts";
import { UnacceptablePackage } from "../unacceptable-package.ts";
import { checkFileName, readRPackage } from "./package-archive.ts";

const valid = {
  Package: "tidepool",
  Version: "1.0-1",
  Title: "Tide Tables",
  Description: "Reads tide\n  tables.",
  Author: "Mara Quill",
  Maintainer: "Mara Quill <mara@example.org>",
  License: "GPL-3",
};

async function read(fields: Record<string, string | undefined>, fileName = "tidepool_1.0-1.tar.gz") {
  const text = Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}\n`]));
  const entries = [{ name: "tidepool/DESCRIPTION", bytes: Buffer.from(text.join("")) }];
  return readRPackage(bytesOf(gzip(await tar(entries, new Date(0)))), fileName);
}

const refusal = (codes: string[], kind: "rules" | "unreadable") =>
  expect.objectContaining({ codes, kind, constructor: UnacceptablePackage });

describe("an R source package", () => {
  test("is read with every field of its DESCRIPTION", async () => {
    const more = {
      URL: "https://example.org, https://example.com",
      Depends: "R (>= 4.1)",
      Imports: "utils",
      Suggests: "knitr",
      Enhances: "zoo",
      LinkingTo: "Rcpp",
      Priority: "optional",
      SystemRequirements: "C++17",
      NeedsCompilation: "Yes",
      Encoding: "UTF-8",
      BugReports: "https://example.org/issues",
      OS_type: "unix",
      License_is_FOSS: "yes",
      License_restricts_use: "no",
      Archs: "x64",
    };
    expect(await read({ ...valid, ...more })).toEqual({
      technology: "R",
      name: "tidepool",
      version: "1.0-1",
      normalizedName: "tidepool",
      versionKey: "1.0.1",
      versionOrder: expect.any(String),
      kind: "source",
      target: "",
      fileName: "tidepool_1.0-1.tar.gz",
      title: "Tide Tables",
      description: "Reads tide\ntables.",
      descriptionContentType: "txt",
      author: "Mara Quill",
      url: "https://example.org, https://example.com",
      license: "GPL-3",
      metadata: {
        depends: "R (>= 4.1)",
        imports: "utils",
        suggests: "knitr",
        enhances: "zoo",
        linkingTo: "Rcpp",
        priority: "optional",
        systemRequirements: "C++17",
        maintainer: "Mara Quill <mara@example.org>",
        needsCompilation: "yes",
        built: null,
        rversion: null,
        architecture: null,
        distribution: null,
        encoding: "UTF-8",
        bugReports: "https://example.org/issues",
        osType: "unix",
        licenseIsFoss: "yes",
        licenseRestrictsUse: "no",
        archs: "x64",
      },
    });
  });

  test("has no value where DESCRIPTION has none", async () => {
    const { url, metadata } = await read(valid);
    expect(url).toBeNull();
    expect(metadata).toMatchObject({ depends: null, systemRequirements: null, needsCompilation: "no" });
  });

  test.each(["tidepool_1.0-1 (1).tar.gz", "tidepool_1.0.tar (1).gz.tar.gz"])(
    "whose file is called %s is published under a clean name",
    async (fileName) => {
      expect((await read(valid, fileName)).fileName).toBe("tidepool_1.0-1.tar.gz");
    },
  );

  test("with only Authors@R takes author and maintainer from there", async () => {
    const authors = 'person("Mara", "Quill", role = c("aut", "cre"), email = "mara@example.org")';
    const it = await read({ ...valid, Author: undefined, Maintainer: undefined, "Authors@R": authors });
    expect(it.author).toBe("Mara Quill [aut, cre]");
    expect(it.metadata.maintainer).toBe("Mara Quill <mara@example.org>");
  });

  test("is refused with every broken rule, in order", async () => {
    const nothing = { Package: "1st", Version: "beta", Built: "R 4.2.2; ; 2026-01-01; unix" };
    await expect(read(nothing)).rejects.toEqual(
      refusal(
        [
          "invalid.package.name",
          "empty.description",
          "empty.author",
          "empty.license",
          "empty.title",
          "invalid.version",
          "unexpected.binary.package",
          "name.mismatch",
        ],
        "rules",
      ),
    );
    await expect(read({ Encoding: "UTF-8" })).rejects.toMatchObject({
      codes: expect.arrayContaining(["empty.name", "empty.version"]),
    });
  });

  test("is refused without License, Title, Description and Version with all codes at the same time", async () => {
    const { License, Title, Description, Version, ...rest } = valid;
    await expect(read(rest)).rejects.toEqual(
      refusal(["empty.description", "empty.license", "empty.title", "empty.version"], "rules"),
    );
  });

  test("is refused if it is a binary", async () => {
    const built = read({ ...valid, Built: "R 4.2.2; ; 2026-01-01 00:00:00 UTC; unix" });
    await expect(built).rejects.toEqual(refusal(["unexpected.binary.package"], "unreadable"));
  });

  test("is refused if file name and DESCRIPTION contain different package names", async () => {
    await expect(read(valid, "harmless_1.0.tar.gz")).rejects.toEqual(refusal(["name.mismatch"], "unreadable"));
  });

  test.each(["x", "9lives", "under_score", "trailing.", "zażółć", "a b", "..", "a/b", "../b", "a".repeat(141)])(
    "may not be called %.20s",
    async (name) => {
      await expect(read({ ...valid, Package: name })).rejects.toMatchObject({
        codes: expect.arrayContaining(["invalid.package.name"]),
      });
    },
  );

  test.each(["R6", "data.table", "R.methodsS3", "A3"])("may be named %s", async (name) => {
    expect((await read({ ...valid, Package: name }, `${name}_1.0-1.tar.gz`)).name).toBe(name);
  });

  test.each([
    ["tidepool-1.0.tar.gz", "invalid.filename"],
    ["_1.0.tar.gz", "invalid.filename"],
    [" _1.0.tar.gz", "invalid.filename"],
    ["tidepool_1.0", "invalid.filename"],
    ["tidepool_1.0.zip", "unsupported.package.format"],
    ["tidepool_1.0.tgz", "unsupported.package.format"],
    ["tidepool-1.0-py3-none-any.whl", "unsupported.package.format"],
  ])("may not come as %s", (fileName, code) => {
    expect(() => checkFileName(fileName)).toThrow(code);
  });
});
