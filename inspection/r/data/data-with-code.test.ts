import { cpuMs, standardMs } from "@packhouse/fixtures/cpu-time";
import { concatenate } from "@packhouse/formats/archive/concatenate";
import { describe, expect, test } from "vitest";
import { inspectedPackage } from "../testing/inspected-package.ts";
import { serialized } from "../testing/serialized-data.ts";

const signalsIn = (bytes: Uint8Array, path = "data/pools.rda"): string[] =>
  inspectedPackage({ [path]: bytes }).signals.map(
    ({ level, id, subject, excerpt }) => `${level} ${id} ${subject}${excerpt === null ? "" : ` | ${excerpt}`}`,
  );

describe("data", () => {
  test("without code is no signal, in each form that R writes", () => {
    for (const bytes of [serialized.plain, serialized.plainVersion2, serialized.plainAsText])
      expect(signalsIn(bytes)).toEqual([]);
  });

  test("with a function is a danger, with the name of the object and what it calls", () => {
    const found = ["danger r-data-with-code function | steal: system"];
    expect(signalsIn(serialized.saved)).toEqual(found);
    expect(signalsIn(serialized.savedAsText)).toEqual(found);
    expect(signalsIn(serialized.saved, "R/sysdata.rda")).toEqual(found);
    expect(signalsIn(serialized.littleEndian)).toEqual(["danger r-data-with-code function | system"]);
  });

  test("with a promise is a danger", () => {
    expect(signalsIn(serialized.promise)).toContain("danger r-data-with-code promise | system");
  });

  test("with bytecode is a danger", () => {
    expect(signalsIn(serialized.bytecode)).toEqual([
      "danger r-data-with-code function",
      "danger bytecode-without-source bytecode",
    ]);
  });

  test("with a formula is a notice, with the call of a program a danger", () => {
    expect(signalsIn(serialized.formula)).toEqual(["notice r-data-with-code call"]);
    expect(signalsIn(serialized.call)).toEqual(["danger r-data-with-code call | system"]);
  });

  test("with an environment of data is information", () => {
    expect(signalsIn(serialized.environment)).toEqual(["info r-data-with-code environment"]);
  });

  test("that ends early or is no R data is not examined", () => {
    const unparsed = "warning unparsed r-data";
    expect(signalsIn(serialized.plain.subarray(0, 100))).toEqual([unparsed]);
    expect(signalsIn(new TextEncoder().encode("BZh91AY&SY"))).toEqual([unparsed]);
    expect(signalsIn(new Uint8Array())).toEqual(["notice unparsed r-data"]);
    expect(signalsIn(serialized.plain.subarray(0, 100), "tests/testthat/damaged.rds")).toEqual([
      "notice unparsed r-data",
    ]);
    expect(signalsIn(serialized.saved.subarray(0, -20))).toContain(unparsed);
  });

  test("that is packed in a way that nothing here unpacks is not examined, whatever its name is", () => {
    for (const head of [
      [0x5d, 0, 0, 0x80, 0],
      [0xff, 0x4c, 0x5a, 0x4d, 0x41],
    ])
      expect(signalsIn(new Uint8Array([...head, ...Array(60).fill(1)]), "inst/extdata/pools.bin")).toEqual([
        "warning unparsed r-data",
      ]);
  });

  test("of a hostile length or depth takes bounded time and memory", () => {
    const header = serialized.plainVersion2.subarray(0, 14);
    const numbers = (...values: number[]) => {
      const view = new DataView(new ArrayBuffer(4 * values.length));
      for (const [index, value] of values.entries()) view.setInt32(4 * index, value);
      return new Uint8Array(view.buffer);
    };
    const started = cpuMs();
    // Two thousand million elements, lists in lists, and a text of a negative length.
    const deep = new Uint8Array(3_200_000).map((_none, index) => (index % 8 === 3 ? 19 : index % 8 === 7 ? 1 : 0));
    for (const body of [numbers(19, 2 ** 31 - 1), numbers(16, -1, 1000, 0), deep, numbers(9, -2), numbers(13, -5)])
      expect(signalsIn(concatenate([header, body]))).toEqual(["warning unparsed r-data"]);
    expect(standardMs(cpuMs() - started)).toBeLessThan(5000);
  });
});

test("a database of code in sources is a danger, in binaries it is usual", () => {
  const files = { "R/tidepool.rdb": "", "R/tidepool.rdx": "" };
  const ids = (kind: "source" | "binary") => inspectedPackage(files, { kind }).signals.map(({ id }) => id);
  expect(ids("source")).toEqual(["bytecode-without-source", "bytecode-without-source"]);
  expect(ids("binary")).toEqual([]);
});
