import { randomBytes } from "node:crypto";
import { defaultLimits } from "@packhouse/formats/package-file";
import { expect, test } from "vitest";
import { smallRPackage } from "../../../testing/small-packages.ts";
import { readPackage } from "./read-package.ts";

test("an upload is unpacked once, for its metadata, its README and its vignettes together", async () => {
  const { fileName, bytes } = await smallRPackage(
    "hedgerow",
    "1.0",
    {},
    {
      "README.md": "How to lay a hedge",
      "inst/doc/hedges.html": "<title>Hedges</title>",
      "data/noise.txt": randomBytes(500_000).toString("base64"), // which takes its space in the archive
    },
  );
  let read = 0;
  const source = {
    size: bytes.byteLength,
    async read(offset: number, length: number) {
      const part = bytes.subarray(offset, offset + length);
      read += part.byteLength;
      return part;
    },
  };
  const { facts } = await readPackage(
    { technology: "R", fileName, limits: defaultLimits, binary: undefined, mirrored: false },
    { source, others: [], emit: async () => {} },
  );
  expect([facts.readme?.bytes, facts.vignettes.map(({ title }) => title)]).toEqual([18, ["Hedges"]]);
  expect(read).toBeLessThan(1.1 * bytes.byteLength); // its beginning shows what it is
});
