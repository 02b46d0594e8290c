import { gzip, member, tar, zip } from "@packhouse/fixtures/archive-writing";
import { describe, expect, test } from "vitest";
import { bytesOf } from "../byte-source.ts";
import { rDocumentation } from "./documentation.ts";
import { readVignette, type StoredPackage } from "./vignettes.ts";

const archive = async (files: Record<string, string>) => {
  const entries = Object.entries(files).map(([name, text]) => ({ name: `tides/${name}`, bytes: Buffer.from(text) }));
  return sourcePackage(gzip(await tar(entries, new Date(0))));
};
const sourcePackage = (bytes: Uint8Array) =>
  ({ source: bytesOf(bytes), fileName: "tides_1.0.tar.gz", kind: "source" }) as const;
const listVignettes = async (stored: StoredPackage) => (await rDocumentation(stored)).vignettes;
const text = (bytes: Uint8Array | undefined) => bytes && new TextDecoder().decode(bytes);

describe("the vignettes of a source package", () => {
  test("are pages with their titles and documents with their names, by file name", async () => {
    const source = await archive({
      DESCRIPTION: "Package: tides\n",
      "inst/doc/tides.html": "<html><head><TITLE>\n Tides &amp;\n  moons </TITLE></head></html>",
      "inst/doc/a.PDF": "%PDF",
      "inst/doc/untitled.html": "<title> </title>",
      "inst/doc/UPPER.HTML": "<title>not read</title>",
      "inst/doc/tides.R": "",
      "inst/doc/figures/deep.html": "<title>deep</title>",
      "doc/binary.html": "<title>of a binary</title>",
    });
    expect(await listVignettes(source)).toEqual([
      { title: "UPPER", fileName: "UPPER.HTML" },
      { title: "a", fileName: "a.PDF" },
      { title: "Tides & moons", fileName: "tides.html" },
      { title: "untitled", fileName: "untitled.html" },
    ]);
  });
  test("are read by their exact name", async () => {
    const source = await archive({ "inst/doc/a.html": "a", DESCRIPTION: "x" });
    expect(text(await readVignette(source, "a.html"))).toBe("a");
    expect(await readVignette(source, "A.html")).toBeUndefined();
    expect(await readVignette(source, "../../DESCRIPTION")).toBeUndefined();
  });
  test("only have a title within the first 256 KiB", async () => {
    const page = (blanks: number) => `<!--${" ".repeat(blanks)}--><title>Late</title>${"x".repeat(700)}`;
    const source = await archive({ "inst/doc/far.html": page(300_000), "inst/doc/near.html": page(200_000), z: "end" });
    expect(await listVignettes(source)).toEqual([
      { title: "far", fileName: "far.html" },
      { title: "Late", fileName: "near.html" },
    ]);
  });
  test("of a binary are in doc, also in a zip", async () => {
    const linux = {
      ...(await archive({ "doc/tides.html": "<title>Tides</title>", "inst/doc/x.html": "" })),
      kind: "binary",
    } as const;
    expect(await listVignettes(linux)).toEqual([{ title: "Tides", fileName: "tides.html" }]);
    const bytes = await zip([member("tides/doc/tides.html", "<title>Tides</title>"), member("tides/doc/a.txt", "")]);
    const windows = { source: bytesOf(bytes), fileName: "tides_1.0.zip", kind: "binary" } as const;
    expect(await listVignettes(windows)).toEqual([{ title: "Tides", fileName: "tides.html" }]);
    expect(text(await readVignette(windows, "tides.html"))).toBe("<title>Tides</title>");
  });
});
