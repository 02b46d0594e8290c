import { describe, expect, test } from "vitest";
import { inspect } from "../inspect.ts";
import { rPackage } from "../testing/packages.ts";

async function processesIn(text: string, path = "src/a.c"): Promise<string[]> {
  const { source, ...what } = await rPackage({ [path]: text });
  const { signals } = await inspect(source, what);
  return signals.filter(({ id }) => id === "process").map(({ level, subject, line }) => `${level} ${subject} ${line}`);
}

describe("native code starts programs", () => {
  test.for<[subject: string, code: string, path?: string]>([
    ["system", 'void f() { system("id"); }'],
    ["system", 'void f() { (system)("id"); }'],
    ["system", "void f() { int (*g)(const char *) = system; }"],
    ["system", "void f() { run_t g = &system; }"],
    ["system", "#define RUN system"],
    ["system", '#define CAT(a, b) a##b\nvoid f() { CAT(sys, tem)("id"); }'],
    ["system", 'void f() { sys\\\ntem("id"); }'],
    ["system", 'static const char *s = R"(")"; static int x = system("id");', "src/a.cpp"],
    ["system", 'static const char *s = u8R"a(")")a"; static int x = system("id");', "src/a.h"],
    ["system", 'static const char *s = R"("; static int x = system("id"); /* )" */', "src/a.h"],
    ["dlsym", 'void f() { dlsym(0, "system"); }'],
    ["system", 'SEXP f() { return Rf_lang2(Rf_install("system"), x); }'],
    ["system", 'void f() { Rcpp::Function run("system"); }', "src/a.cpp"],
    ["system", 'void f() { system("id"); }', "src/tables.inc"],
    ["notes.txt", '#include "notes.txt"'],
  ])("with %s: %s", async ([subject, code, path]) => {
    expect((await processesIn(code, path)).map((one) => one.split(" ", 2).join(" "))).toContain(`warning ${subject}`);
  });

  test.for<[code: string, path?: string]>([
    ["Vector f(const Matrix &system, double x) { Vector y = system; return solve(system, x); }", "src/a.cpp"],
    ["struct s { int system; }; void f(struct s *a, int b) { a->system = b; }"],
    ['/* system("id") */ const char *s = "system(1)"; // system(2)'],
    ["int system(const char *);"],
    ['const char *s = R"(system(1))";', "src/a.cpp"],
    ['#include "tables.h"\n#include "parts.inc"\n#include <system>'],
    ["#define GLUE(a, b) a##b\nint sys; int tem; void f() { g(sys + tem); }"],
  ])("but not with %s", async ([code, path]) => {
    expect(await processesIn(code, path)).toEqual([]);
  });
});
