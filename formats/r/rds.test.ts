import { type RValue, readRds } from "@packhouse/fixtures/rds-reading";
import { describe, expect, test } from "vitest";
import { concatenate } from "../archive/concatenate.ts";
import { archiveRds, archiveShard, characters, packagesRds } from "./rds.ts";

const day = new Date("2026-03-01T00:00:00Z");
const file = (path: string, size: number) => ({ path, size, modified: day });

/** The columns of a data frame by name. */
const columnsOf = (frame: RValue) =>
  Object.fromEntries((frame.attributes.names?.values ?? []).map((name, index) => [name, frame.values[index]]));

describe("PACKAGES.rds", () => {
  const shards = [
    { rows: 2, names: characters(["a", "b"]), columns: [characters(["a", "b"]), characters(["1.0", null])] },
    { rows: 0, names: characters([]), columns: [characters([]), characters([])] },
    { rows: 1, names: characters(["ż"]), columns: [characters(["ż"]), characters(["2.0"])] },
  ];

  test("is a matrix of text, assembled from ranges of packages", () => {
    expect(readRds(concatenate(packagesRds(shards, ["Package", "Version"])))).toEqual({
      type: "strings",
      values: ["a", "b", "ż", "1.0", null, "2.0"],
      attributes: {
        dim: { type: "integers", values: [3, 2], attributes: {} },
        dimnames: {
          type: "list",
          values: [
            { type: "strings", values: ["a", "b", "ż"], attributes: {} },
            { type: "strings", values: ["Package", "Version"], attributes: {} },
          ],
          attributes: {},
        },
      },
    });
  });

  test("has the bytes that R writes", () => {
    // `serialize(matrix("a", 1, 1, dimnames = list("a", "P")), NULL, version = 2)`, after the version of R that wrote it.
    const expected =
      "00000210 00000001 00040009 00000001 61" +
      "00000402 00000001 00040009 00000003 64696d 0000000d 00000002 00000001 00000001" +
      "00000402 00000001 00040009 00000008 64696d6e616d6573 00000013 00000002" +
      "00000010 00000001 00040009 00000001 61 00000010 00000001 00040009 00000001 50 000000fe";
    const one = { rows: 1, names: characters(["a"]), columns: [characters(["a"])] };
    const written = concatenate(packagesRds([one], ["P"]));
    expect(Buffer.from(written.subarray(0, 14)).toString("hex")).toBe("580a000000020004020200020300");
    expect(Buffer.from(written.subarray(14)).toString("hex")).toBe(expected.replaceAll(" ", ""));
  });

  test("of no packages still has its columns", () => {
    expect(readRds(concatenate(packagesRds([], ["Package"]))).attributes.dim?.values).toEqual([0, 1]);
  });

  test("passes on the very pieces that it is given, so that others can replace them", () => {
    const pieces = packagesRds(shards, ["Package", "Version"]);
    for (const { names, columns } of shards) for (const piece of [names, ...columns]) expect(pieces).toContain(piece);
  });
});

describe("archive.rds", () => {
  test("lists the archived files of each package as file.info() of R does", () => {
    const shards = [
      archiveShard([{ name: "a", files: [file("a/a_0.9.tar.gz", 5_000_000_000), file("a/a_0.10.tar.gz", 7)] }]),
      archiveShard([]),
      archiveShard([{ name: "b", files: [file("b/b_1.0.tar.gz", 1)] }]),
    ];
    const list = readRds(concatenate(archiveRds(shards)));
    expect(list).toMatchObject({ type: "list", attributes: { names: { values: ["a", "b"] } } });

    const [frame] = list.values as RValue[];
    expect(frame?.attributes.class?.values).toEqual(["data.frame"]);
    expect(frame?.attributes["row.names"]?.values).toEqual(["a/a_0.9.tar.gz", "a/a_0.10.tar.gz"]);
    const columns = frame && columnsOf(frame);
    const time = {
      type: "doubles",
      values: [1772323200, 1772323200],
      attributes: { class: { values: ["POSIXct", "POSIXt"] } },
    };
    expect(columns).toMatchObject({
      size: { type: "doubles", values: [5_000_000_000, 7] },
      isdir: { type: "logicals", values: [0, 0] },
      mode: { type: "integers", values: [0o644, 0o644], attributes: { class: { values: ["octmode"] } } },
      mtime: time,
      ctime: time,
      atime: time,
      uid: { type: "integers", values: [0, 0] },
      gid: { type: "integers", values: [0, 0] },
      uname: { type: "strings", values: ["root", "root"] },
      grname: { type: "strings", values: ["root", "root"] },
    });
  });
});
