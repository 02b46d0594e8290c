import { describe, expect, test } from "vitest";
import { inspectWith } from "../inspect.ts";
import { pythonInspector } from "../python/inspector.ts";
import { rInspector } from "../r/inspector.ts";
import type { TechnologyInspector } from "../technology-inspector.ts";
import { rPackage, type SamplePackage, wheel } from "../testing/packages.ts";
import { KnownCode } from "./known-code.ts";

/** The same inspector with a memory of its own. What it finds in a file cannot be changed afterward. */
function forgetful<Facts>(inspector: TechnologyInspector<Facts>) {
  const read: string[] = [];
  return {
    read,
    inspector: {
      ...inspector,
      inspectCode(file: Parameters<typeof inspector.inspectCode>[0]) {
        read.push(file.path);
        return frozen(inspector.inspectCode(file));
      },
    },
  };
}

function frozen<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || Object.isFrozen(value) || ArrayBuffer.isView(value)) return value;
  for (const inner of Object.values(value)) frozen(inner);
  return Object.freeze(value);
}

const inspected = <Facts>(inspector: TechnologyInspector<Facts>, { source, ...what }: SamplePackage) =>
  inspectWith(inspector, { source, ...what }, { now: 0 });

describe("the next version is read where it changed, and what is found is the same", () => {
  test("in Python", async () => {
    const files = {
      "tides/__init__.py": "from .net import send\n__all__ = ['send', 'low']\nsend()\nlow = 1\n",
      "tides/net.py": "import subprocess\ndef send(to=None):\n    subprocess.run(['curl', to])\n",
      "tides/broken.py": "def (:\n",
    };
    const { inspector, read } = forgetful(pythonInspector);
    await inspected(inspector, await wheel(files));
    const next = await wheel({ ...files, "tides/net.py": `${files["tides/net.py"]}high = 2\n` }, { version: "1.1.0" });
    const found = await inspected(inspector, next);
    expect(read).toEqual(["tides/__init__.py", "tides/net.py", "tides/broken.py", "tides/net.py"]);
    expect(found).toEqual(await inspected(forgetful(pythonInspector).inspector, next));
    expect(found.signals.map(({ id }) => id)).toEqual(expect.arrayContaining(["unparsed", "py-import-time-call"]));
  });

  test("in R", async () => {
    const files = {
      "R/a.R": "height <- function(x = 1) fetch(x)\n",
      "R/b.R": "fetch <- function(x) system(x)\n.onLoad <- function(libname, pkgname) fetch('ls')\n",
    };
    const { inspector, read } = forgetful(rInspector);
    await inspected(inspector, await rPackage(files));
    const next = await rPackage({ ...files, "R/a.R": "height <- function(y) fetch(y)\n" }, { version: "1.1.0" });
    const found = await inspected(inspector, next);
    expect(read).toEqual(["NAMESPACE", "R/a.R", "R/b.R", "R/a.R"]);
    expect(found).toEqual(await inspected(forgetful(rInspector).inspector, next));
    expect(found.signals.map(({ id }) => id)).toEqual(expect.arrayContaining(["process", "r-on-load"]));
  });
});

test("a file with the same content and another name is another file", async () => {
  const { inspector, read } = forgetful(rInspector);
  const found = await inspected(
    inspector,
    await rPackage({ "R/a.R": "system('ls')\n", "tests/a.R": "system('ls')\n" }),
  );
  expect(read).toEqual(["NAMESPACE", "R/a.R", "tests/a.R"]);
  expect(found.signals.filter(({ id }) => id === "process").map(({ file }) => file)).toEqual(["R/a.R", "tests/a.R"]);
});

test("of too much code, what was not asked for longest is forgotten", () => {
  const known = new KnownCode<number>(10);
  const read = (facts: number) => ({ found: { facts }, errorLine: null });
  known.add("a", "1", read(1), 4);
  known.add("b", "2", read(2), 4);
  known.get("a", "1");
  known.add("c", "3", read(3), 4);
  expect([known.get("a", "1"), known.get("b", "2"), known.get("c", "3")]).toEqual([read(1), undefined, read(3)]);
  known.add("c", "3", read(3), 4);
  expect(known.get("a", "1")).toEqual(read(1));
  known.add("d", "4", read(4), 11);
  expect([known.get("a", "1"), known.get("d", "4")]).toEqual([undefined, undefined]);
});
