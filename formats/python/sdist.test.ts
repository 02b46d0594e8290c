import { member, tarGzOfFolder, zip } from "@packhouse/fixtures/archive-writing";
import { describe, expect, test } from "vitest";
import { bytesOf } from "../byte-source.ts";
import { formatOf } from "../format.ts";
import { UnacceptablePackage } from "../unacceptable-package.ts";
import { checkFileName, readDistribution } from "./distribution.ts";
import { partsOfSdistName } from "./sdist.ts";

const head = "Metadata-Version: 2.1\nName: harbor-tools\nVersion: 1.0\n";

async function read(files: Record<string, string>, fileName = "harbor_tools-1.0.tar.gz") {
  const members = Object.entries(files).map(([path, text]) => member(path, text));
  return readDistribution(bytesOf(await tarGzOfFolder("harbor_tools-1.0", members, new Date(0))), fileName);
}

const refusal = (codes: string[], kind: "rules" | "unreadable") =>
  expect.objectContaining({ codes, kind, constructor: UnacceptablePackage });

describe("a source distribution", () => {
  test("is read with every field of its PKG-INFO", async () => {
    const pkgInfo = `Metadata-Version: 2.4
Name: Harbor.Tools
Version: 1.0.0
Summary: Tools for harbors
Author: Mara Quill
Author-email: Mara Quill <mara@example.org>
Maintainer: Jo Dam
Maintainer-email: jo@example.org
License-Expression: MIT
License: as above
Classifier: Topic :: Tides
Classifier: License :: OSI Approved :: MIT License
Keywords: tides,harbors
Platform: linux
Platform: any
Home-page: https://example.org
Project-URL: Source, https://example.org/source
Project-URL: Tracker, https://example.org/issues
Requires-Python: >=3.9,<4
Requires-Dist: attrs>=20
Requires-Dist: rich; extra == "show"
Provides-Extra: show
Requires-External: libtide
Description-Content-Type: text/markdown; variant=GFM

# Harbors
`;
    expect(await read({ "PKG-INFO": pkgInfo, "README.md": "not this" })).toEqual({
      technology: "Python",
      name: "Harbor.Tools",
      version: "1.0.0",
      normalizedName: "harbor-tools",
      versionKey: "1",
      versionOrder: expect.any(String),
      kind: "source",
      target: "",
      fileName: "harbor_tools-1.0.tar.gz",
      title: "Tools for harbors",
      description: "# Harbors",
      descriptionContentType: "text/markdown; variant=GFM",
      author: "Mara Quill",
      url: "Source, https://example.org/source, Tracker, https://example.org/issues",
      license: "MIT",
      metadata: {
        authorEmail: "Mara Quill <mara@example.org>",
        classifiers: "Topic :: Tides, License :: OSI Approved :: MIT License",
        homePage: "https://example.org",
        keywords: "tides,harbors",
        maintainer: "Jo Dam",
        maintainerEmail: "jo@example.org",
        platform: "linux, any",
        projectUrl: "Source, https://example.org/source, Tracker, https://example.org/issues",
        providesExtra: "show",
        requiresDist: 'attrs>=20, rich; extra == "show"',
        requiresExternal: "libtide",
        requiresPython: ">=3.9,<4",
        summary: "Tools for harbors",
        compatibilityTags: null,
        builtTag: null,
        pythonTag: null,
        abiTag: null,
        platformTag: null,
        coreMetadata: null,
      },
    });
  });

  test("needs no more than name and version", async () => {
    expect(await read({ "PKG-INFO": head })).toMatchObject({
      title: null,
      description: null,
      author: null,
      license: null,
    });
  });

  test.each(["2.4", "2.5"])("with metadata %s uses License-Expression as its license", async (version) => {
    const pkgInfo = `${head.replace("2.1", version)}License-Expression: MIT OR Apache-2.0\nLicense-File: LICENSE\n`;
    expect(await read({ "PKG-INFO": pkgInfo })).toMatchObject({ license: "MIT OR Apache-2.0" });
  });

  test.each([
    [
      "the names in Author-email",
      'Author-email: "Mara Quill" <m@example.org>, jo@example.org',
      { author: "Mara Quill" },
    ],
    [
      "the license of a classifier",
      "Classifier: License :: OSI Approved :: MIT License",
      { license: "OSI Approved :: MIT License" },
    ],
    [
      "a home page among the project's addresses",
      "Project-URL: HomePage, https://x.org",
      { metadata: { homePage: "https://x.org" } },
    ],
  ])("falls back to %s", async (_, header, expected) => {
    expect(await read({ "PKG-INFO": `${head}${header}\n` })).toMatchObject(expected);
  });

  test.each([
    ["README.md", "text/markdown"],
    ["README.rst", "text/x-rst"],
    ["README", ""],
  ])("uses %s as the description if PKG-INFO has none", async (readme, descriptionContentType) => {
    const it = await read({ "PKG-INFO": head, [readme]: "Harbors\r\n", [`docs/${readme}`]: "not this" });
    expect(it).toMatchObject({ description: "Harbors", descriptionContentType });
  });

  test("is refused if it is a source host's archive, without PKG-INFO in its top folder", async () => {
    const elsewhere = read({ "harbor_tools.egg-info/PKG-INFO": head, "setup.py": "" });
    await expect(elsewhere).rejects.toEqual(refusal(["read.python.pkg.info.exception"], "unreadable"));
    await expect(elsewhere).rejects.toThrow("python -m build --sdist");
  });

  test("is refused with every error in its name and version", async () => {
    const wrong = read({ "PKG-INFO": "Metadata-Version: 2.1\nName: -\nVersion: one\n" });
    await expect(wrong).rejects.toEqual(
      refusal(["invalid.package.name", "invalid.version", "name.mismatch", "version.mismatch"], "rules"),
    );
    const other = read({ "PKG-INFO": head.replace("1.0", "1.1").replace("tools", "toys") });
    await expect(other).rejects.toEqual(refusal(["name.mismatch", "version.mismatch"], "unreadable"));
    const future = read({ "PKG-INFO": head.replace("2.1", "3.0") });
    await expect(future).rejects.toEqual(refusal(["unsupported.metadata.version"], "unreadable"));
  });

  test.each([
    ["harbor_tools-1.0.tar.gz", "harbor_tools", "1.0"],
    ["harbor-tools-1.0.tar.gz", "harbor-tools", "1.0"],
    ["Salt_Marsh.core-0.4.TAR.GZ", "Salt_Marsh.core", "0.4"],
    ["pkg-2-1.0-beta.tar.gz", "pkg-2", "1.0-beta"],
    ["pierlight-1!2.0+ubuntu.1.tar.gz", "pierlight", "1!2.0+ubuntu.1"],
    ["pkg-nonsense.tar.gz", "pkg", "nonsense"],
  ])("called %s is split at the version, into %s and %s", (fileName, name, version) => {
    expect(partsOfSdistName(fileName)).toEqual({ name, version });
  });

  test("may be a zip if it is a copy from another repository", async () => {
    const members = [member("harbor_tools-1.0/PKG-INFO", `${head}\nTools`), member("harbor_tools-1.0/setup.py", "")];
    const bytes = bytesOf(await zip(members));
    const it = await formatOf("Python").readPackage(bytes, "harbor_tools-1.0.zip", { mirrored: true });
    expect(it).toMatchObject({
      name: "harbor-tools",
      kind: "source",
      fileName: "harbor_tools-1.0.zip",
      description: "Tools",
    });
    for (const options of [{}, { mirrored: false }, undefined])
      await expect(formatOf("Python").readPackage(bytes, "harbor_tools-1.0.zip", options)).rejects.toEqual(
        refusal(["unsupported.package.format"], "unreadable"),
      );
    await expect(
      formatOf("Python").readPackage(bytesOf(Buffer.from("no zip")), "harbor_tools-1.0.zip", { mirrored: true }),
    ).rejects.toEqual(refusal(["could.not.extract.file"], "unreadable"));
  });

  test.each([
    ["harbor.tar.gz", "invalid.filename"],
    ["-1.0.tar.gz", "invalid.filename"],
    ["harbor-.tar.gz", "invalid.filename"],
    ["harbor-1.0 (1).tar.gz", "invalid.filename"],
    ["harbor-1.0.txt", "invalid.filename"],
    ["harbor-1.0.zip", "unsupported.package.format"],
    ["harbor-1.0.tar.bz2", "unsupported.package.format"],
    ["harbor-1.0.tar.xz", "unsupported.package.format"],
    ["harbor-1.0.egg", "unsupported.package.format"],
  ])("may not come as %s", (fileName, code) => {
    expect(() => checkFileName(fileName)).toThrow(code);
  });
});
