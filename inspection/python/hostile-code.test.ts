import { cpuMs, standardMs } from "@packhouse/fixtures/cpu-time";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { inspectProject, inspectText } from "./testing/inspect-sources.ts";

/** Milliseconds of the processor. */
const bound = 20_000;

function timed<Result>(run: () => Result): Result {
  const start = cpuMs();
  const result = run();
  expect(standardMs(cpuMs() - start)).toBeLessThan(bound);
  return result;
}

test("texts that replacements make too long take no longer than texts that are kept", () => {
  const calls = "os.system(x.replace('a', y))\n".repeat(20_000);
  const started = cpuMs();
  inspectText(`import os\nx = "${"a".repeat(20_000)}"\ny = "${"b".repeat(99)}"\n${calls}`);
  expect(standardMs(cpuMs() - started)).toBeLessThan(4_000);
});

describe("deep and long code ends, and says what it can", () => {
  const payload = "\nimport os\nos.system('x')\n";
  test.each([
    ["parentheses", `x = ${"(".repeat(20_000)}1${")".repeat(20_000)}`],
    ["lists", `x = ${"[".repeat(20_000)}${"]".repeat(20_000)}`],
    ["attributes", `import a\nx = a${".b".repeat(50_000)}`],
    ["calls", `import a\na${"()".repeat(20_000)}`],
    ["sums", `x = "a"${' + "a"'.repeat(50_000)}\nexec(x)`],
    ["assignments", `${"x = ".repeat(20_000)}1`],
    ["calls of each other", Array.from({ length: 2_000 }, (_, at) => `def f${at}(): f${at + 1}()`).join("\n")],
    ["aliases", `import os\n${Array.from({ length: 5_000 }, (_, at) => `a${at + 1} = a${at}`).join("\n")}\na5000()`],
    ["itself", "x = y\ny = x\nx()\nexec(x)\n__all__ = __all__ + __all__\n"],
    ["classes", Array.from({ length: 300 }, (_, at) => `${" ".repeat(at)}class A:`).join("\n")],
    ["conditions", Array.from({ length: 300 }, (_, at) => `${" ".repeat(at)}if x:`).join("\n")],
    ["arguments", `f(${"a, ".repeat(100_000)})`],
    ["parameters", `def f(${Array.from({ length: 20_000 }, (_, at) => `a${at}`).join(", ")}): pass`],
    ["functions", Array.from({ length: 20_000 }, (_, at) => `def f${at}(): pass`).join("\n")],
    ["one line", `x = "${"a".repeat(2_000_000)}"`],
    ["joins", `x = "${"a".repeat(20_000)}"\nos.system(x.join([${"x, ".repeat(20_000)}]))`],
    ["interpolations", `x = "${"a".repeat(20_000)}"\nos.system(f"${"{x}".repeat(30_000)}")`],
    ["decoding", `exec(${"str(".repeat(2_000)}x${")".repeat(2_000)})`],
  ])("%s", (_what, text) => {
    const { found } = timed(() => inspectText(`import os\nos.system('before')\n${text}${payload}`));
    expect(found.map(({ signal }) => signal.subject)).toContain("os.system");
    expect(found.length).toBeLessThanOrEqual(601);
  });

  test("a thousand calls of one kind do not hide a suspicious one", () => {
    const many = "os.system(x)\n".repeat(2_000);
    const { found } = inspectText(`import os\n${many}os.system('curl http://a.example/x')\n`);
    expect(found.some(({ isRaised }) => isRaised)).toBe(true);
    expect(found.length).toBeLessThanOrEqual(600);
  });

  test("modules that export each other's names", () => {
    const files = Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => [
        `orchard/m${at}.py`,
        `${Array.from({ length: 60 }, (_unused, other) => `from .m${other} import *`).join("\n")}\nx${at} = missing${at}\n__all__ = ["x0", "nowhere"]\n`,
      ]),
    );
    const { interface: entries } = timed(() => inspectProject({ files: { "orchard/__init__.py": "", ...files } }));
    expect(entries.length).toBeGreaterThan(60);
  });
});

test("whatever the text, the inspector returns signals on lines of the file", () => {
  const words = fc.constantFrom(
    ...'import os from . * as def class ( ) [ ] { } : , = + \n \n  \' " """ \\ @ if else for lambda exec eval os.environ __all__ getattr base64 # f\' \\x41 -> / ** '.split(
      " ",
    ),
    "os.system",
    "\n",
    "\n    ",
    " ",
    "é",
    "𝒳",
    "\0",
    "\uFEFF",
  );
  fc.assert(
    fc.property(fc.array(words, { maxLength: 60 }), (parts) => {
      const text = parts.join(" ");
      const lines = text.split("\n").length;
      const project = inspectProject({
        files: { "orchard/__init__.py": text, "setup.py": text, "setup.cfg": text, "pyproject.toml": text },
      });
      for (const { line } of project.signals) expect(line ?? 1).toBeLessThanOrEqual(lines);
    }),
    { numRuns: 300 },
  );
});
