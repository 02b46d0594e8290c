import type { InterfaceEntry } from "@packhouse/contract/review/inspection";
import { describe, expect, test } from "vitest";
import { inspectProject, type Project } from "../testing/inspect-sources.ts";

const interfaceOf = (files: Record<string, string>, more: Partial<Project> = {}): InterfaceEntry[] =>
  inspectProject({ files, ...more }).interface;
const namesOf = (files: Record<string, string>, more: Partial<Project> = {}): string[] =>
  interfaceOf(files, more).map(({ name }) => name);
const entryOf = (text: string, name: string): InterfaceEntry | undefined =>
  interfaceOf({ "orchard/rows.py": text, "orchard/__init__.py": "" }).find((entry) => entry.name === name);

const written = (entry: InterfaceEntry | undefined): string | null =>
  entry?.parameters
    ?.map(({ name, default: value, annotation, kind }) => `${kind} ${name}: ${annotation} = ${value}`)
    .join("; ") ?? null;

describe("parameters", () => {
  test("have kinds, defaults and annotations", () => {
    const text = "def fit(a, /, b: int = 1, *rest: str, c, d=(1, 2), **more): pass\n";
    expect(written(entryOf(text, "orchard.rows.fit"))).toBe(
      "positional-only a: null = null; any b: int = 1; rest rest: str = null; keyword-only c: null = null; keyword-only d: null = (1, 2); keywords more: null = null",
    );
    expect(written(entryOf("def fit(a, *, b): pass\n", "orchard.rows.fit"))).toBe(
      "any a: null = null; keyword-only b: null = null",
    );
  });

  test("of methods and constructors leave the receiver out", () => {
    const text = [
      "class Row:",
      "    def __init__(self, width: float, *, color=None): pass",
      "    def cut(self, at): pass",
      "    @staticmethod",
      "    def parse(text): pass",
      "    @classmethod",
      "    def of(cls, trees): pass",
      "    @property",
      "    def area(self): pass",
      "    @area.setter",
      "    def area(self, value): pass",
      "    limit = 3",
      "    def _hidden(self): pass",
      "",
    ].join("\n");
    expect(written(entryOf(text, "orchard.rows.Row"))).toBe("any width: float = null; keyword-only color: null = None");
    expect(written(entryOf(text, "orchard.rows.Row.cut"))).toBe("any at: null = null");
    expect(written(entryOf(text, "orchard.rows.Row.parse"))).toBe("any text: null = null");
    expect(written(entryOf(text, "orchard.rows.Row.of"))).toBe("any trees: null = null");
    expect(entryOf(text, "orchard.rows.Row.area")).toMatchObject({ kind: "object", parameters: null });
    expect(entryOf(text, "orchard.rows.Row.limit")).toMatchObject({ kind: "object" });
    expect(entryOf(text, "orchard.rows.Row._hidden")).toBeUndefined();
  });

  test("of a data class are its fields, of a class with a base unknown", () => {
    const text = "@dataclass\nclass Row:\n    width: float\n    color: str = 'green'\n    kind: ClassVar[int] = 1\n";
    expect(written(entryOf(text, "orchard.rows.Row"))).toBe("any width: float = null; any color: str = 'green'");
    expect(entryOf("class Row(Base): pass\n", "orchard.rows.Row")?.parameters).toBeNull();
    expect(entryOf("class Row: pass\n", "orchard.rows.Row")?.parameters).toEqual([]);
  });

  test("of an overloaded function are those of its implementation", () => {
    const text = "@overload\ndef fit(a: int): ...\n@overload\ndef fit(a: str): ...\ndef fit(a, b=1): pass\n";
    expect(written(entryOf(text, "orchard.rows.fit"))).toBe("any a: null = null; any b: null = 1");
  });
});

describe("public names", () => {
  const publicOf = (text: string): string[] =>
    namesOf({ "orchard/__init__.py": text }).filter((name) => name !== "orchard");

  test.each([
    ["def a(): pass\ndef _b(): pass\nC = 1\nimport os\nd = e = 2\n", ["a", "C", "d", "e"]],
    ["__all__ = ['a', '_b']\ndef a(): pass\ndef _b(): pass\ndef c(): pass\n", ["a", "_b"]],
    [
      "__all__ = ('a',)\n__all__ += ['b']\n__all__.append('c')\n__all__.extend(['d'])\n__all__.remove('a')\na = b = c = d = 1\n",
      ["b", "c", "d"],
    ],
    ["__all__ = ['a'] + ['b']\na = b = c = 1\n", ["a", "b"]],
    ["__all__ = [n for n in dir()]\na = 1\n_b = 2\n", ["a"]],
    [
      "if x:\n    def a(): pass\nelse:\n    a = None\ntry:\n    import b\nexcept ImportError:\n    B = None\n",
      ["a", "B"],
    ],
    ["if __name__ == '__main__':\n    a = 1\n", []],
    ["a = 1\nb = 2\ndel a\n", ["b"]],
    ["a = b = c = d = 1\ndel (a.x, b[c], d)\n", ["a", "b", "c"]],
    ["def f():\n    def g(): pass\n    h = 1\n", ["f"]],
    ["for i in range(3):\n    with x:\n        a = 1\n", ["a"]],
    ["fit = lambda a, b=1: a\n", ["fit"]],
  ])("%j offers %j", (text, names) => {
    expect(publicOf(text).sort()).toEqual(names.map((name) => `orchard.${name}`).sort());
  });

  test("re-exports of a package", () => {
    const files = {
      "orchard/__init__.py":
        "from .rows import Row as Line, _fit\nfrom . import trees\nfrom orchard.rows import plant\nimport os\nfrom json import dumps\n",
      "orchard/rows.py": "class Row:\n    def cut(self, at=1): pass\ndef _fit(): pass\ndef plant(x): pass\n",
      "orchard/trees.py": "",
    };
    const names = namesOf(files);
    expect(names).toEqual(
      expect.arrayContaining(["orchard.Line", "orchard.Line.cut", "orchard.plant", "orchard.trees"]),
    );
    expect(names).not.toContain("orchard.dumps");
    expect(names).not.toContain("orchard._fit");
    expect(names).not.toContain("orchard.os");
    expect(interfaceOf(files).find(({ name }) => name === "orchard.Line.cut")).toMatchObject({
      file: "orchard/rows.py",
      line: 2,
    });
  });

  test("star imports, lists of other modules and aliases", () => {
    const files = {
      "orchard/__init__.py":
        "from .rows import *\nfrom . import trees\nfrom .trees import *\n__all__ = rows.__all__ + trees.__all__\n",
      "orchard/rows.py": "__all__ = ['plant']\ndef _plant(x, y=2): pass\nplant = _plant\n",
      "orchard/trees.py": "__all__ = ['Apple']\nclass Apple: pass\n",
    };
    expect(namesOf(files)).toEqual(expect.arrayContaining(["orchard.plant", "orchard.Apple"]));
    expect(interfaceOf(files).find(({ name }) => name === "orchard.plant")?.parameters).toHaveLength(2);
  });

  test("modules that import each other's names", () => {
    const files = {
      "orchard/__init__.py": "from .a import *\n",
      "orchard/a.py": "from .b import *\nfrom .a import x\none = 1\n",
      "orchard/b.py": "from .a import *\ntwo = 2\n",
    };
    expect(namesOf(files)).toEqual(expect.arrayContaining(["orchard.a.one", "orchard.b.two"]));
  });

  test("private modules and tests are not offered", () => {
    const names = namesOf({
      "orchard/__init__.py": "",
      "orchard/_core.py": "a = 1\n",
      "orchard/tests/__init__.py": "b = 1\n",
    });
    expect(names).toEqual(["orchard"]);
  });

  test("a stub describes a compiled module", () => {
    const files = { "orchard/__init__.py": "", "orchard/fast.pyi": "def fit(a: int) -> int: ...\n" };
    const others = [{ path: "orchard/fast.cpython-312-x86_64-linux-gnu.so", kind: "elf" as const }];
    expect(namesOf(files, { others, kind: "binary" })).toEqual(["orchard", "orchard.fast", "orchard.fast.fit"]);
  });
});

describe("where an sdist has its modules", () => {
  const modulesOf = (files: Record<string, string>, name = "orchard"): string[] =>
    interfaceOf(files, { name })
      .filter(({ kind }) => kind === "module")
      .map((entry) => entry.name);
  const empty = "";

  test.each([
    [
      "next to setup.py",
      { "orchard/__init__.py": empty, "orchard/rows.py": empty, "tests/__init__.py": empty, "setup.py": empty },
      ["orchard", "orchard.rows"],
    ],
    ["in src", { "src/orchard/__init__.py": empty, "src/rows.py": empty, "tools/x.py": empty }, ["orchard", "rows"]],
    ["as a single module", { "orchard.py": empty, "setup.py": empty, "conftest.py": empty }, ["orchard"]],
    ["in a namespace", { "src/valley/orchard/__init__.py": empty }, ["valley.orchard"]],
    [
      "by setup.cfg",
      { "lib/orchard/__init__.py": empty, "setup.cfg": "[options]\npackage_dir =\n    = lib\n" },
      ["orchard"],
    ],
    [
      "by setup.py",
      {
        "lib/orchard/__init__.py": empty,
        "setup.py": "from setuptools import setup\nsetup(package_dir={'': 'lib'})\n",
      },
      ["orchard"],
    ],
    [
      "by pyproject.toml",
      { "lib/orchard/__init__.py": empty, "pyproject.toml": '[tool.setuptools.packages.find]\nwhere = ["lib"]\n' },
      ["orchard"],
    ],
    [
      "in a folder of another name",
      { "code/__init__.py": empty, "pyproject.toml": '[tool.setuptools.package-dir]\norchard = "code"\n' },
      ["orchard"],
    ],
    [
      "by hatchling",
      {
        "packages/orchard/__init__.py": empty,
        "pyproject.toml": '[tool.hatch.build.targets.wheel]\npackages = ["packages/orchard"]\n',
      },
      ["orchard"],
    ],
    [
      "by poetry",
      {
        "code/orchard/__init__.py": empty,
        "pyproject.toml": '[tool.poetry]\npackages = [{ include = "orchard", from = "code" }]\n',
      },
      ["orchard"],
    ],
    [
      "by top_level.txt",
      { "pears/__init__.py": empty, "examples/__init__.py": empty, "x.egg-info/top_level.txt": "pears\n" },
      ["pears"],
    ],
    [
      "by py_modules",
      {
        "pears.py": empty,
        "plums.py": empty,
        "setup.py": "from setuptools import setup\nsetup(py_modules=['pears'])\n",
      },
      ["pears"],
    ],
  ])("%s", (_where, files, modules) => {
    expect(modulesOf(files as unknown as Record<string, string>)).toEqual(modules);
  });
});

describe("commands and entry points", () => {
  test.each([
    [
      "pyproject.toml",
      '[project.scripts]\nfit = "orchard:main"\n[project.entry-points."valley.plugins"]\nrow = "orchard:Row"\n',
    ],
    [
      "setup.cfg",
      "[options.entry_points]\nconsole_scripts =\n    fit = orchard:main\nvalley.plugins =\n    row = orchard:Row\n",
    ],
    [
      "setup.py",
      "from setuptools import setup\nsetup(entry_points={'console_scripts': ['fit = orchard:main'], 'valley.plugins': ['row=orchard:Row']})\n",
    ],
    [
      "setup.py",
      "from setuptools import setup\nsetup(entry_points='''\n[console_scripts]\nfit = orchard:main\n[valley.plugins]\nrow = orchard:Row\n''')\n",
    ],
    [
      "orchard.egg-info/entry_points.txt",
      "[console_scripts]\nfit = orchard:main\n\n[valley.plugins]\nrow = orchard:Row\n",
    ],
    [
      "pyproject.toml",
      '[tool.poetry.scripts]\nfit = "orchard:main"\n[tool.poetry.plugins."valley.plugins"]\nrow = "orchard:Row"\n',
    ],
  ])("in %s", (path, text) => {
    const entries = interfaceOf({ [path]: text }).map(({ name, kind }) => `${kind} ${name}`);
    expect(entries).toEqual(["command fit", "entry-point valley.plugins:row"]);
  });
});

test("indicators", () => {
  const { indicators } = inspectProject({
    files: {
      "orchard/__init__.py": '"""Doc."""\ndef a():\n    """Doc."""\ndef b(): pass\n',
      "orchard/py.typed": "",
      "tests/test_a.py": "def test_a(): pass\nclass TestB:\n    def test_b(self): pass\n    def helper(self): pass\n",
    },
  });
  expect(indicators).toEqual([
    { id: "documented", value: "2 of 3", source: null },
    { id: "tests", value: "2", source: null },
    { id: "typed", value: "yes", source: "orchard/py.typed" },
  ]);
});
