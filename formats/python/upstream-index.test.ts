import { cpuMs, standardMs } from "@packhouse/fixtures/cpu-time";
import { describe, expect, test } from "vitest";
import { projectList, projectPage } from "./simple-index.ts";
import { NoSimpleIndex, readProjectList, readProjectPage } from "./upstream-index.ts";

const json = "application/vnd.pypi.simple.v1+json";
const address = "https://index.example.org/simple/harbor-tools/";
const sha256 = "ab".repeat(32);

const page = (anchors: string) => readProjectPage(anchors, "text/html; charset=utf-8", address, "harbor-tools").files;

describe("the page of a project of another index", () => {
  test.for(["json", "html"] as const)("that Packhouse itself renders is read from %s", (form) => {
    const rendered = projectPage("harbor-tools", [
      {
        fileName: "harbor_tools-1.0+local.tar.gz",
        url: `../@blob/${sha256}/harbor_tools-1.0%2Blocal.tar.gz`,
        version: "1.0+local",
        hashes: { sha256 },
        fragmentHash: "sha256",
        requiresPython: ">=3.9,<4",
        size: 10,
        uploadTime: new Date(0),
        coreMetadataSha256: null,
        yanked: "broken",
      },
    ]);
    const read = readProjectPage(rendered[form], form === "json" ? json : "text/html", address, "harbor-tools");
    expect(read.unsupported).toEqual([]);
    expect(read.files).toEqual([
      {
        fileName: "harbor_tools-1.0+local.tar.gz",
        url: `https://index.example.org/simple/@blob/${sha256}/harbor_tools-1.0%2Blocal.tar.gz`,
        version: "1.0+local",
        kind: "sdist",
        hashes: { sha256 },
        yanked: true,
      },
    ]);
  });

  test("may link with relative and absolute addresses, in any way that HTML writes attributes", () => {
    expect(
      page(`<!DOCTYPE html><html><body><h1>Links</h1>
        <a href="../../packages/harbor-tools-1.0.tar.gz#sha256=${sha256.toUpperCase()}">harbor-tools-1.0.tar.gz</a><br/>
        <A class=x HREF='https://files.example.org/harbor_tools-1.0-py3-none-any.whl?a=1&amp;b=2' data-yanked>x</A>
        <a href=/root/harbor_tools-1.1.tar.gz data-yanked="">x</a>`).map(({ url, kind, yanked, hashes }) => [
        url,
        kind,
        yanked,
        hashes.sha256,
      ]),
    ).toEqual([
      ["https://index.example.org/packages/harbor-tools-1.0.tar.gz", "sdist", false, sha256],
      ["https://files.example.org/harbor_tools-1.0-py3-none-any.whl?a=1&b=2", "wheel", true, undefined],
      ["https://index.example.org/root/harbor_tools-1.1.tar.gz", "sdist", true, undefined],
    ]);
  });

  test.for([
    ["of another project", `<a href="other-1.0.tar.gz">other-1.0.tar.gz</a>`],
    ["of an unsupported kind", `<a href="harbor_tools-1.0.exe">x</a><a href="harbor_tools-1.0-py3.9.egg">x</a>`],
    ["without a valid version", `<a href="harbor-tools-latest.tar.gz">x</a>`],
    ["that a browser would run", `<a href="javascript:alert('harbor_tools-1.0.tar.gz')">x</a>`],
    ["that cannot be addressed", `<a href="https://[/harbor_tools-1.0.tar.gz">x</a>`],
    ["in a comment", `<!-- <a href="harbor_tools-1.0.tar.gz">x</a> -->`],
    ["without an address", `<a name="top">harbor_tools-1.0.tar.gz</a>`],
  ])("skips a file %s", ([, anchors]) => {
    expect(page(anchors ?? "")).toEqual([]);
  });

  test("lists files that cannot be imported, with their apparent version", () => {
    const names = [
      "harbor_tools-1.0-py3.9.egg",
      "harbor-tools-1.0.win32.exe",
      "harbor-tools-1.2rc1.tar.bz2",
      "harbor_tools.rpm",
      "harbor_tools-1.0.tar.gz.asc",
    ];
    const anchors = names.map((name) => `<a href="${name}">x</a>`).join("");
    expect(readProjectPage(anchors, "text/html", address, "harbor-tools")).toEqual({
      files: [],
      unsupported: [
        { fileName: names[0], version: "1.0" },
        { fileName: names[1], version: "1.0" },
        { fileName: names[2], version: "1.2rc1" },
        { fileName: names[3], version: null },
      ],
    });
  });

  test("may have sdists as zip files", () => {
    expect(page(`<a href="harbor-tools-1.0.zip">x</a>`)).toMatchObject([{ kind: "sdist", version: "1.0" }]);
  });

  test("is refused if it should be JSON but is not, or lacks its files", () => {
    for (const text of ["<html>", "[]", "{}", `{"files": 1}`])
      expect(() => readProjectPage(text, json, address, "harbor-tools")).toThrow(NoSimpleIndex);
  });

  test("with nothing but unclosed tags is read in time", () => {
    const began = cpuMs();
    expect(page(`<a href="`.repeat(200_000))).toEqual([]);
    expect(page("<!--".repeat(200_000))).toEqual([]);
    expect(standardMs(cpuMs() - began)).toBeLessThan(5000);
  });
});

describe("the list of projects of another index", () => {
  test.for(["json", "html"] as const)("is read from %s, with normalized names", (form) => {
    const rendered = projectList(["harbor-tools", "Pier.Light", "pier_light", "../up"]);
    expect(readProjectList(rendered[form], form === "json" ? json : "text/html")).toEqual([
      "harbor-tools",
      "pier-light",
    ]);
  });
});
