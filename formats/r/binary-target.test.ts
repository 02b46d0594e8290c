import { gzip, member, tar, zip } from "@packhouse/fixtures/archive-writing";
import { describe, expect, test } from "vitest";
import { bytesOf } from "../byte-source.ts";
import {
  type BinaryRequest,
  type BinaryTarget,
  binaryFolder,
  minorVersion,
  problemsOfBinary,
} from "./binary-target.ts";
import { readRPackage } from "./package-archive.ts";

const jammy: BinaryTarget = { rVersion: "4.2", architecture: "x86_64", distribution: "jammy" };
const allowed: BinaryRequest["allowed"] = {
  rVersions: ["4.1", "4.2", "4.10"],
  architectures: ["x86_64", "arm64"],
  distributions: ["jammy", "windows", "big-sur-arm64"],
};
const compiled = "R 4.2.2; x86_64-pc-linux-gnu; 2026-11-21 02:47:12 UTC; unix";
const pure = "R 4.2.2; ; 2026-11-21 02:47:12 UTC; unix";
const violations = (built: string, target: Partial<BinaryTarget> = {}) =>
  problemsOfBinary(built, { target: { ...jammy, ...target }, allowed });

describe("a binary's target", () => {
  test.each<[string, Partial<BinaryTarget>]>([
    ["bin/linux/jammy/x86_64/4.2", {}],
    ["bin/linux/jammy/x86_64/4.2", { rVersion: "4.2.1" }],
    ["bin/linux/jammy/x86_64/4.0", { rVersion: "4" }],
    ["bin/windows/contrib/4.2", { distribution: "windows" }],
    ["bin/macosx/big-sur-arm64/contrib/4.2", { distribution: "big-sur-arm64", architecture: "arm64" }],
  ])("has the folder %s for the target %j", (folder, target) => {
    expect(binaryFolder({ ...jammy, ...target })).toBe(folder);
  });

  test.each(["", "devel", "4.", ".2", "4.2/../..", "4.2 beta"])("with R version %j is invalid", (version) => {
    expect(minorVersion(version)).toBeUndefined();
    expect(violations(compiled, { rVersion: version })).toEqual(["r.version.not.allowed", "invalid.r.version"]);
  });

  test.each<[string, string, Partial<BinaryTarget>, string[]]>([
    ["it is that of the build", compiled, {}, []],
    ["it is pure R, whose empty platform leaves the architecture open", pure, { architecture: "arm64" }, []],
    ["only two numbers of R's version count", compiled, { rVersion: "4.2.9" }, []],
    ["the R version is not accepted", compiled, { rVersion: "2.15" }, ["r.version.not.allowed", "invalid.r.version"]],
    ["the R version differs", compiled, { rVersion: "4.1" }, ["invalid.r.version"]],
    ["4.10 is not 4.1", compiled.replace("4.2.2", "4.10.0"), { rVersion: "4.1" }, ["invalid.r.version"]],
    ["the processor differs", compiled, { architecture: "arm64" }, ["invalid.architecture"]],
    [
      "the processor is not accepted",
      compiled,
      { architecture: "x86" },
      ["architecture.not.allowed", "invalid.architecture"],
    ],
    ["the distribution is not accepted", compiled, { distribution: "plan9" }, ["distribution.not.allowed"]],
    ["Built is missing", "", {}, ["empty.built"]],
    ["Built is incomplete", "R 4.2.2; x86_64-pc-linux-gnu", {}, ["empty.built"]],
    ["it was built on Windows", compiled.replace("unix", "windows"), {}, ["empty.built"]],
    ["it was built on a Mac", pure.replace("; ;", "; aarch64-apple-darwin20;"), {}, ["empty.built"]],
    ["the target is Windows, but it was built on Linux", compiled, { distribution: "windows" }, ["empty.built"]],
    ["the target is macOS, but it was built on Linux", compiled, { distribution: "big-sur-arm64" }, ["empty.built"]],
  ])("is checked when %s", (_, built, target, codes) => {
    expect(violations(built, target)).toEqual(codes);
  });
});

describe("an R binary", () => {
  const description = (built: string) =>
    `Package: tidepool\nVersion: 1.0-1\nTitle: Tides\nDescription: Tables.\nAuthor: M\nLicense: GPL-3\nBuilt: ${built}\n`;
  const read = async (file: string, target: Partial<BinaryTarget> = {}, built = compiled) => {
    const entry = member("tidepool/DESCRIPTION", description(built));
    const bytes = file.endsWith(".zip")
      ? await zip([entry, member("tidepool/R/tidepool.rdb", "x")])
      : gzip(await tar([{ name: entry.path, bytes: entry.bytes }], new Date(0)));
    return readRPackage(bytesOf(bytes), file, { binary: { target: { ...jammy, ...target }, allowed } });
  };

  test("whose file name has a platform suffix is published under a clean name, in its target's folder", async () => {
    expect(await read("tidepool_1.0-1_R_x86_64-pc-linux-gnu.tar.gz", { rVersion: "4.2.1" })).toMatchObject({
      kind: "binary",
      target: "bin/linux/jammy/x86_64/4.2",
      fileName: "tidepool_1.0-1.tar.gz",
      metadata: { built: compiled, rversion: "4.2", architecture: "x86_64", distribution: "jammy" },
    });
  });

  test("may be a zip for Windows or a tgz for macOS, where these are accepted", async () => {
    const windows = compiled.replace("pc-linux-gnu", "w64-mingw32").replace("unix", "windows");
    expect(await read("tidepool_1.0-1.zip", { distribution: "windows" }, windows)).toMatchObject({
      fileName: "tidepool_1.0-1.zip",
      target: "bin/windows/contrib/4.2",
    });
    const mac = { distribution: "big-sur-arm64", architecture: "arm64" };
    expect(await read("tidepool_1.0-1.tgz", mac, pure)).toMatchObject({ fileName: "tidepool_1.0-1.tgz" });
    for (const [file, distribution] of [
      ["tidepool_1.0-1.zip", "jammy"],
      ["tidepool_1.0-1.tgz", "windows"],
      ["tidepool_1.0-1.tar.gz", "windows"],
      ["tidepool_1.0-1.tgz", "sonoma-arm64"],
    ] as const)
      await expect(read(file, { distribution })).rejects.toMatchObject({ codes: ["unsupported.package.format"] });
  });

  test("must follow the rules of all packages, too", async () => {
    await expect(read("harbor_1.0.tar.gz", { rVersion: "4.1" })).rejects.toMatchObject({
      codes: ["invalid.r.version", "name.mismatch"],
      kind: "rules",
    });
    await expect(read("tidepool.tar.gz")).rejects.toMatchObject({ codes: ["invalid.filename"] });
  });
});
