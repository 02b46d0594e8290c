import { buildBroken } from "@packhouse/fixtures/build-broken";
import { buildPackages } from "@packhouse/fixtures/build-packages";
import { describe, expect, test } from "vitest";
import { bytesOf } from "./byte-source.ts";
import { formatOf } from "./format.ts";
import { versionOrder as pythonOrder } from "./python/version.ts";
import { versionOrder as rOrder } from "./r/version.ts";
import { UnacceptablePackage } from "./unacceptable-package.ts";

const read = ({ technology, bytes, fileName }: { technology: "R" | "Python"; bytes: Uint8Array; fileName: string }) =>
  formatOf(technology).readPackage(bytesOf(bytes), fileName);

describe("a package of the demo organization", async () => {
  test.each(await buildPackages())("is read: $technology $fileName", async (built) => {
    const { technology, name, version, fileName } = built;
    const it = await read(built);
    expect(it).toMatchObject({ technology, name, version, fileName });
    expect(it.title).not.toBeNull();
    expect(it.description).not.toBeNull();
  });

  test("has versions in the order of its story", async () => {
    const built = await buildPackages();
    const stories = Map.groupBy(built, ({ technology, name }) => `${technology} ${name}`);
    for (const files of stories.values()) {
      const { compareVersions } = formatOf(files[0]?.technology ?? "R");
      const inStoryOrder = files
        .toSorted((a, b) => Date.parse(a.released) - Date.parse(b.released))
        .map(({ version }) => version);
      expect(inStoryOrder.toSorted(compareVersions)).toEqual(inStoryOrder);
    }
  });
});

describe("versions of both technologies", () => {
  const key = ([technology, version]: readonly ["R" | "Python", string]) => {
    const { before, after } = formatOf(technology).aroundVersionOrder;
    return before + { R: rOrder, Python: pythonOrder }[technology](version) + after;
  };

  test("have one order", () => {
    const chain = [
      ["R", "0.9"],
      ["Python", "1.0.dev1"],
      ["Python", "1.0rc1"],
      ["Python", "1.0"],
      ["R", "1.0"],
      ["R", "1.0-0"],
      ["Python", "1.0.1rc1"],
      ["R", "1.0-1"],
      ["Python", "1.0.1.post1"],
      ["Python", "1.2"],
      ["R", "1.10"],
      ["Python", "2016"],
      ["R", "2016.8-1.1"],
      ["Python", "1!0.1"],
    ] as const;
    const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
    expect(chain.toReversed().toSorted((a, b) => byText(key(a), key(b)))).toEqual(chain);
  });

  test("are equal where their numbers are", () => {
    expect(key(["R", "1.0-1"])).toBe(key(["Python", "1.0.1"]));
  });
});

describe("a hostile or damaged file", async () => {
  // An empty file is refused before it is read as a package.
  const broken = (await buildBroken()).filter(({ code }) => code !== "error.empty.file");

  test.each(broken)("is refused: $technology $fileName, $why", async (file) => {
    const outcome = await read(file).catch((error: unknown) => error);
    expect(outcome).toBeInstanceOf(UnacceptablePackage);
    expect(outcome).toMatchObject({ codes: expect.arrayContaining([file.code]) });
  });
});

describe("the name of a repository", () => {
  test.each([
    ["R", "north sea", true],
    ["R", "north~sea", false],
    ["Python", "north~sea", true],
    ["Python", "north sea", false],
    ["R", "a/b", false],
  ] as const)("of %s packages may be %s: %s", (technology, name, allowed) => {
    expect(formatOf(technology).repositoryName.test(name)).toBe(allowed);
  });
});
