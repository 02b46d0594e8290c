import { describe, expect, test } from "vitest";
import { readPackagesIndex } from "./upstream-index.ts";

const read = (text: string) => [...readPackagesIndex(new TextEncoder().encode(text))];

describe("the PACKAGES file of another repository", () => {
  test("is read record by record, with digests and locations of files", () => {
    const md5 = "0123456789abcdef0123456789ABCDEF";
    expect(
      read(`Package: tidepool
Version: 1.0-1
Depends: R (>= 3.5),
        methods
MD5sum: ${md5}

Package: KernSmooth
Version: 2.23-26
Path: 4.5.0/Recommended


Package: moorings
Version: 0.10
File: moorings-of-today.tar.gz
`),
    ).toEqual([
      { name: "tidepool", version: "1.0-1", md5: md5.toLowerCase(), path: "tidepool_1.0-1.tar.gz" },
      { name: "KernSmooth", version: "2.23-26", md5: undefined, path: "4.5.0/Recommended/KernSmooth_2.23-26.tar.gz" },
      { name: "moorings", version: "0.10", md5: undefined, path: "moorings-of-today.tar.gz" },
    ]);
  });

  test("may have Windows line ends and no final newline", () => {
    expect(read("Package: a1\r\nVersion: 1.0\r\n\r\nPackage: b1\r\nVersion: 2.0")).toMatchObject([
      { name: "a1", version: "1.0" },
      { name: "b1", version: "2.0" },
    ]);
  });

  test.for([
    ["without a version", "Package: broken"],
    ["with a version that is none", "Package: broken\nVersion: latest"],
    ["with a name that leads elsewhere", "Package: ../broken\nVersion: 1.0"],
    ["with a file outside", "Package: broken\nVersion: 1.0\nFile: ../../etc/passwd"],
    ["with a file of another server", "Package: broken\nVersion: 1.0\nFile: http://example.org/broken.tar.gz"],
    ["with an absolute folder", "Package: broken\nVersion: 1.0\nPath: /etc"],
  ])("skips a record %s", ([, record]) => {
    expect(read(`${record}\n\nPackage: sound\nVersion: 1.0\n`).map(({ name }) => name)).toEqual(["sound"]);
  });

  test("may be empty, or not an index at all", () => {
    expect(read("")).toEqual([]);
    expect(read("<html><body>Not found</body></html>")).toEqual([]);
  });
});
