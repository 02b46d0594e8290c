import { readRds } from "@packhouse/fixtures/rds-reading";
import { describe, expect, test } from "vitest";
import { concatenate } from "../archive/concatenate.ts";
import { readDescription } from "./dcf.ts";
import { binaryFields, type Indexed, packagesShard } from "./packages-index.ts";
import { packagesRds } from "./rds.ts";

const nothing: Indexed["metadata"] = {
  depends: null,
  imports: null,
  linkingTo: null,
  suggests: null,
  enhances: null,
  priority: null,
  osType: null,
  archs: null,
  licenseIsFoss: null,
  licenseRestrictsUse: null,
  needsCompilation: "no",
  built: null,
};

const bare: Indexed = { name: "bare", version: "1.0-1", license: "GPL-3", md5: "0d7c", metadata: nothing };
const full: Indexed = {
  name: "driftwood",
  version: "1.2.3",
  license: "GPL (>= 2) |\nfile LICENSE",
  md5: "1e8d",
  metadata: {
    depends: "R (>= 3.5.0),\nmethods",
    imports: "R.utils (>=\n2.10.1)",
    linkingTo: "Rcpp",
    suggests: "knitr",
    enhances: "zoo",
    priority: "optional",
    osType: "unix",
    archs: "x64",
    licenseIsFoss: "yes",
    licenseRestrictsUse: "no",
    needsCompilation: "yes",
    built: "R 4.2.2; x86_64-pc-linux-gnu; 2026-11-21 02:47:12 UTC; unix",
  },
};

const textOf = (packages: readonly Indexed[]) => new TextDecoder().decode(packagesShard(packages, binaryFields).text);

describe("PACKAGES", () => {
  test("has a record for each package, with one line per field, folds joined by a blank, and no empty fields", () => {
    expect(textOf([bare, full])).toBe(`Package: bare
Version: 1.0-1
License: GPL-3
MD5sum: 0d7c
NeedsCompilation: no

Package: driftwood
Version: 1.2.3
Priority: optional
Depends: R (>= 3.5.0), methods
Imports: R.utils (>= 2.10.1)
LinkingTo: Rcpp
Suggests: knitr
Enhances: zoo
OS_type: unix
Archs: x64
License: GPL (>= 2) | file LICENSE
License_is_FOSS: yes
License_restricts_use: no
MD5sum: 1e8d
NeedsCompilation: yes
Built: R 4.2.2; x86_64-pc-linux-gnu; 2026-11-21 02:47:12 UTC; unix

`);
  });

  test("cannot be broken by a package's fields", () => {
    const hostile = {
      ...bare,
      license: "GPL-3\n\nPackage: base\nVersion: 99.0\r\n",
      metadata: { ...nothing, depends: " \n " },
    };
    const record = readDescription(packagesShard([hostile], binaryFields).text);
    expect(record.get("Package")).toBe("bare");
    expect(record.get("License")).toBe("GPL-3 Package: base Version: 99.0");
    expect(record.has("Depends")).toBe(false);
  });

  test("contains the same in both forms, however the packages are divided", () => {
    const whole = [packagesShard([bare, full], binaryFields)];
    const divided = [
      packagesShard([bare], binaryFields),
      packagesShard([], binaryFields),
      packagesShard([full], binaryFields),
    ];
    expect(concatenate(divided.map(({ text }) => text))).toEqual(whole[0]?.text);
    const [matrix, other] = [whole, divided].map((shards) => concatenate(packagesRds(shards, binaryFields)));
    expect(other).toEqual(matrix);

    const { values } = readRds(matrix ?? new Uint8Array());
    const cellsOf = (row: number) => binaryFields.map((field, column) => [field, values[column * 2 + row]]);
    const fromText = textOf([full])
      .trim()
      .split("\n")
      .map((line) => line.split(/: (.*)/, 2));
    expect(cellsOf(1)).toEqual(fromText);
    expect(Object.fromEntries(cellsOf(0))).toMatchObject({ Package: "bare", Depends: null, MD5sum: "0d7c" });
  });
});
