import { describe, expect, test } from "vitest";
import { chooseSimpleForm, fileNameInAddress, projectList, projectPage, type SimpleFile } from "./simple-index.ts";

const sdist: SimpleFile = {
  fileName: "harbor_tools-1.10.tar.gz",
  url: "../@blob/aa/harbor_tools-1.10.tar.gz",
  version: "1.10",
  hashes: { sha256: "aa", md5: "bb" },
  fragmentHash: "md5",
  requiresPython: '>=3.9,<4"&',
  size: 1234,
  uploadTime: new Date("2026-02-03T04:05:06.789Z"),
  coreMetadataSha256: null,
};
const wheel: SimpleFile = {
  ...sdist,
  fileName: "harbor_tools-1.9.0-py3-none-any.whl",
  url: "../@blob/cc/harbor_tools-1.9.0-py3-none-any.whl",
  version: "1.9.0",
  hashes: { sha256: "cc" },
  fragmentHash: "sha256",
  requiresPython: null,
  coreMetadataSha256: "dd",
  yanked: "sinks",
};

describe("the page of a project", () => {
  const page = projectPage("harbor-tools", [sdist, wheel]);

  test("lists its files in HTML, oldest version first", () => {
    expect(page.html).toBe(`<!DOCTYPE html>
<html>
<head>
<meta charset="utf-8">
<meta name="pypi:repository-version" content="1.1">
<title>Links for harbor-tools</title>
</head>
<body>
<a href="../@blob/cc/harbor_tools-1.9.0-py3-none-any.whl#sha256=cc" data-core-metadata="sha256=dd" data-dist-info-metadata="sha256=dd" data-yanked="sinks">harbor_tools-1.9.0-py3-none-any.whl</a><br>
<a href="../@blob/aa/harbor_tools-1.10.tar.gz#md5=bb" data-requires-python="&gt;=3.9,&lt;4&quot;&amp;">harbor_tools-1.10.tar.gz</a><br>
</body>
</html>
`);
  });

  test("has the same and more in JSON", () => {
    expect(JSON.parse(page.json)).toEqual({
      meta: { "api-version": "1.1" },
      name: "harbor-tools",
      versions: ["1.9.0", "1.10"],
      files: [
        {
          filename: "harbor_tools-1.9.0-py3-none-any.whl",
          url: "../@blob/cc/harbor_tools-1.9.0-py3-none-any.whl",
          hashes: { sha256: "cc" },
          "core-metadata": { sha256: "dd" },
          yanked: "sinks",
          size: 1234,
          "upload-time": "2026-02-03T04:05:06.789Z",
        },
        {
          filename: "harbor_tools-1.10.tar.gz",
          url: "../@blob/aa/harbor_tools-1.10.tar.gz",
          hashes: { sha256: "aa", md5: "bb" },
          "requires-python": '>=3.9,<4"&',
          "core-metadata": false,
          yanked: false,
          size: 1234,
          "upload-time": "2026-02-03T04:05:06.789Z",
        },
      ],
    });
  });

  test("escapes a Requires-Python with <, > and quotes, and keeps an invalid one", () => {
    const attribute = (requiresPython: string) =>
      /data-requires-python="([^"]*)"/.exec(projectPage("a", [{ ...sdist, requiresPython }]).html)?.[1];
    expect(attribute(`>3,<4,!='3.9'&"`)).toMatch(/^&gt;3,&lt;4,!=('|&#39;|&#x27;|&apos;)3\.9\1&amp;&quot;$/);
    expect(attribute("3 or so")).toBe("3 or so");
    const { files } = JSON.parse(projectPage("a", [{ ...sdist, requiresPython: ">=3 <or> so" }]).json);
    expect(files[0]["requires-python"]).toBe(">=3 <or> so");
  });

  test("lists a version once, whatever the number and spelling of its files", () => {
    const both = projectPage("a", [
      { ...sdist, version: "1.0-beta.2" },
      { ...wheel, version: "1.0b2" },
    ]);
    expect(JSON.parse(both.json).versions).toEqual(["1.0b2"]);
  });
});

describe("the list of projects", () => {
  test("links to the page of each", () => {
    const list = projectList(["harbor-tools", "pierlight"]);
    expect(list.html).toContain(
      '<a href="harbor-tools/">harbor-tools</a><br>\n<a href="pierlight/">pierlight</a><br>\n',
    );
    expect(JSON.parse(list.json)).toEqual({
      meta: { "api-version": "1.1" },
      projects: [{ name: "harbor-tools" }, { name: "pierlight" }],
    });
  });
});

test("a file name in an address is fully escaped", () => {
  expect(fileNameInAddress("pierlight-1!2.0+ubuntu.1.tar.gz")).toBe("pierlight-1%212.0%2Bubuntu.1.tar.gz");
});

describe("the form of a page", () => {
  const json = "application/vnd.pypi.simple.v1+json";
  const html = "application/vnd.pypi.simple.v1+html";

  test.each([
    ["pip and uv ask for JSON", [json, html, "text/html"], "json"],
    ["a browser reads HTML", ["text/html", "application/xhtml+xml", "application/xml", "*/*"], "legacyHtml"],
    ["old clients accept anything", ["*/*"], "legacyHtml"],
    ["the first that we have is sent", ["image/png", html, json], "html"],
    ["the latest version is ours", ["application/vnd.pypi.simple.latest+json"], "json"],
    ["a client that accepts only other versions gets none", ["application/vnd.pypi.simple.v2+json"], undefined],
    ["a client that accepts none of ours gets none", ["image/png", "constructor"], undefined],
  ])("%s: %j", (_, accepted, form) => {
    expect(chooseSimpleForm(accepted)).toBe(form);
  });

  test("is the one in the address, whatever the header", () => {
    expect(chooseSimpleForm(["text/html"], json)).toBe("json");
    expect(chooseSimpleForm(["text/html"], json.replace("+", " "))).toBe("json"); // a raw + in the query
    expect(chooseSimpleForm(["*/*"], "toString")).toBeUndefined();
    expect(chooseSimpleForm(["text/html"], null)).toBe("legacyHtml");
  });
});
