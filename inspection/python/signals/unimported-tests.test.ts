import { describe, expect, test } from "vitest";
import { atLeast, found, wheel } from "../testing/signals-of-sources.ts";

describe("tests that a package installs", () => {
  const text = "import subprocess\nsubprocess.run(['make'])\n";
  const fileOf = (path: string) => ({ [path]: text });
  const warnings = (files: Record<string, string>) =>
    found(atLeast(wheel({ "orchard/tests/__init__.py": "", ...files }), "warning"));
  const alarms = ["warning process subprocess", "warning py-import-time-call subprocess.run"];

  test.each([
    "orchard/tests/test_rows.py",
    "orchard/tests/__init__.py",
    "orchard/conftest.py",
    "orchard/test_rows.py",
    "orchard/benchmarks/rows.py",
  ])("run only for those who run them: %s", (path) => {
    expect(warnings(fileOf(path))).toEqual([]);
    expect(found(wheel(fileOf(path)))).toContain("notice process subprocess.run");
  });

  test.each([
    ["a module", { "orchard/rows.py": "import orchard.tests.words" }],
    ["a module, as a name", { "orchard/rows.py": "from orchard.tests import words" }],
    ["a package, by a relative name", { "orchard/__init__.py": "from .tests.words import x" }],
    ["a module, with all its names", { "orchard/rows.py": "from .tests.words import *" }],
    ["a function, when it is called", { "orchard/rows.py": "def f():\n    import orchard.tests.words" }],
    [
      "a test that a module imports",
      { "orchard/rows.py": "import orchard.tests.other", "orchard/tests/other.py": "from . import words" },
    ],
    ["a command", { "orchard-1.0.dist-info/entry_points.txt": "[console_scripts]\nrows = orchard.tests.words:main\n" }],
  ])("count in full if they are imported by %s", (_who, files) => {
    expect(warnings({ ...files, ...fileOf("orchard/tests/words.py") })).toEqual(alarms);
  });

  test("count in full if a package around them runs for a module", () => {
    const files = { "orchard/rows.py": "import orchard.tests.words", "orchard/tests/words.py": "" };
    expect(warnings({ ...files, ...fileOf("orchard/tests/__init__.py") })).toEqual(alarms);
  });

  test("hide no code either", () => {
    const hidden = "exec(__import__('base64').b64decode('cHJpbnQoMSk='))\n";
    expect(warnings({ "orchard/tests/test_rows.py": hidden })).toContainEqual(expect.stringContaining("decoded-code"));
  });

  test("are modules like others where the package itself is named so", () => {
    expect(found(atLeast(wheel(fileOf("tests/__init__.py")), "warning"))).toEqual(alarms);
  });
});
