import { describe, expect, test } from "vitest";
import { isDebris, LinkTree, linkTarget, safeSegments, safeZipSegments } from "./member-paths.ts";

describe("the path of a member", () => {
  test.each([
    ["pkg/R/code.R", ["pkg", "R", "code.R"]],
    ["./pkg//R/", ["pkg", "R"]],
    ["./", []],
    ["pkg/..name", ["pkg", "..name"]],
  ])("%s is split", (path, segments) => {
    expect(safeSegments(path)).toEqual(segments);
  });

  test.each(["/etc/passwd", "../x", "pkg/../../x", "pkg/..", "pkg/a\0b"])("%j is unsafe", (path) => {
    expect(() => safeSegments(path)).toThrow("unsafe.archive.entry");
  });

  test.each(["pkg\\..\\x", "C:/x", "c:x"])("%s is unsafe in a zip, where it can have another meaning", (path) => {
    expect(() => safeZipSegments(path)).toThrow("unsafe.archive.entry");
    expect(() => safeSegments(path)).not.toThrow();
  });

  test.each(["__MACOSX/pkg/x", "._pkg", "pkg/._DESCRIPTION", "pkg/.DS_Store"])("%s is debris", (path) => {
    expect(isDebris(safeSegments(path))).toBe(true);
  });
});

describe("the target of a link", () => {
  test.each([
    ["sub/file", ["pkg", "inst", "sub", "file"]],
    ["../R/./code.R", ["pkg", "R", "code.R"]],
    ["..", ["pkg"]],
    ["../..", []],
  ])("%s is relative to its folder", (target, segments) => {
    expect(linkTarget(["pkg", "inst"], target)).toEqual(segments);
  });

  test.each(["/etc/passwd", "../../../etc", "a\0", "sub/../../x", "sub/.."])("%j is unsafe", (target) => {
    expect(() => linkTarget(["pkg", "inst"], target)).toThrow("unsafe.archive.entry");
  });
});

describe("a link in an archive", () => {
  const links = new LinkTree();
  links.add(["pkg", "data"]);

  test.each([
    [["pkg", "data", "x"], true],
    [["pkg", "data", "x", "y"], true],
    [["pkg", "data"], false],
    [["pkg", "database", "x"], false],
    [["pkg"], false],
    [["data", "x"], false],
  ])("leads %j astray: %s", (segments, astray) => {
    expect(links.leadsAstray(segments)).toBe(astray);
  });
});
