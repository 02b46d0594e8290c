import { cpuMs, standardMs } from "@packhouse/fixtures/cpu-time";
import { describe, expect, test } from "vitest";
import { parseRd, readMacros } from "./parse-rd.ts";
import { plainText, type RdNode } from "./rd-tree.ts";
import { UserMacros } from "./user-macros.ts";

/** A tree on one line: text by its kind, macros by their name. */
function outline(nodes: readonly RdNode[]): string {
  return nodes
    .map((node) => {
      if (node.kind === "break") return "¶";
      if (node.kind === "group") return `(${outline(node.content)})`;
      if (node.kind !== "macro") return { text: "T", code: "R", verbatim: "V" }[node.kind] + JSON.stringify(node.text);
      const option = node.option === undefined ? "" : `[${node.option}]`;
      return `${node.name}${option}${node.args.map((arg) => `(${outline(arg)})`).join("")}`;
    })
    .join(" ");
}

const macros = () => {
  const known = new UserMacros();
  readMacros(String.raw`\newcommand{\pair}{[#1|#2]} \newcommand{\wide}{\strong{#1}} % \newcommand{\none}{}`, known);
  return known;
};

describe("reading LaTeX-like text", () => {
  test.each([
    [String.raw`a\\b \% \{ \} \& \'`, String.raw`T"a\\b % { } \\& \\'"`],
    ["a % comment\nb", String.raw`T"a " T"\nb"`],
    ["a {b {c}} d", 'T"a " (T"b " (T"c")) T" d"'],
    ["a\n\nb", String.raw`T"a\n" ¶ T"b"`],
    ["a\n \t\n\nb", String.raw`T"a\n" ¶ ¶ T"b"`],
    ["a\n% comment\nb", String.raw`T"a\n" T"\nb"`],
    [String.raw`\emph{a}\R{} \dots1`, 'emph(T"a") R () T" " dots T"1"'],
    [String.raw`\link[stats:lm]{fit} [x]`, 'link[stats:lm](T"fit") T" [x]"'],
    [String.raw`\section{A} {b}`, 'section(T"A")(T"b")'],
    [String.raw`\itemize{\item a \item{b}}`, 'itemize(item T" a " item (T"b"))'],
    [String.raw`\value{\item{a} {b} c}`, 'value(item(T"a")(T"b") T" c")'],
    [String.raw`\describe{\item{\itemize{\item x}}{b}}`, 'describe(item(itemize(item T" x"))(T"b"))'],
    [String.raw`\item a`, String.raw`T"\\item a"`],
    [String.raw`\unknown{a \emph{b}} c`, String.raw`T"\\unknown{" T"a " emph(T"b") T"} c"`],
    [String.raw`\emph a`, String.raw`T"\\emph a"`],
    ["a } b", 'T"a " T" b"'],
    [String.raw`\emph{a {b`, 'emph(T"a " (T"b"))'],
    ["\\", String.raw`T"\\"`],
    ["\uFEFFa\r\nb\rc", String.raw`T"a\nb\nc"`],
  ])("%j is %s", (text, expected) => {
    expect(outline(parseRd(text))).toBe(expected);
  });
});

describe("reading R code", () => {
  test.each([
    [String.raw`f({1}) \\ \% \{`, String.raw`f({1}) \ % {`],
    ["\"}\" '{' `{` x", "\"}\" '{' `{` x"],
    [`'it"s}' x`, `'it"s}' x`],
    [String.raw`"a\\n" '\n'`, String.raw`"a\n" '\n'`],
    [String.raw`"\"}" x`, String.raw`"\"}" x`],
    [String.raw`x\" y`, String.raw`x\" y`],
    [String.raw`"\\"}" x`, String.raw`"\"}" x`],
    [String.raw`"\\\\" {x}`, String.raw`"\\" {x}`],
    [String.raw`'50\%}' x`, `'50%}' x`],
    ["'a % gone }\n}' b", "'a \n}' b"],
    ["# don't {50%} \\{\nx", "# don't {50%} {\nx"],
    [String.raw`"\link{f}}" \dots \n`, String.raw`"f}" ... \n`],
    [String.raw`"\emph{f"`, String.raw`"\emph{f"`],
  ])("%j shows %j", (text, expected) => {
    const [code, after] = parseRd(`\\code{${text}}\\R`);
    expect(code && plainText([code])).toBe(expected);
    expect(after).toMatchObject({ name: "R" });
  });

  test("ends an unclosed string at the end of the file", () => {
    expect(outline(parseRd("\\code{'a} b"))).toBe(`code(R"'a} b")`);
  });
});

describe("reading verbatim text", () => {
  test.each([
    [String.raw`\verb{a\\b \% \{ \x{y}}`, String.raw`verb(V"a\\b % { \\x{y}")`],
    ["\\verb{a % gone }\nb}", String.raw`verb(V"a \nb")`],
    [String.raw`\eqn{\alpha \\ % \%}{a\\b \%}`, String.raw`eqn(V"\\alpha \\\\ % \\%")(V"a\\b %")`],
    [String.raw`\eqn{a} {b}`, 'eqn(V"a") T" " (T"b")'],
    [String.raw`\href{http://x/\%20}{\emph{t}}`, 'href(V"http://x/%20")(emph(T"t"))'],
  ])("%j is %s", (text, expected) => {
    expect(outline(parseRd(text))).toBe(expected);
  });
});

describe("conditional lines", () => {
  test.each([
    ["a\n#ifdef unix\nb\n#endif\nc", "a\nb\nc"],
    ["a\n#ifdef windows\nb\n#endif\nc", "a\nc"],
    ["a\n#ifndef windows\nb\n#endif % windows\nc", "a\nb\nc"],
    ["#ifdef windows\na\n#ifdef unix\nb\n#endif\nc\n#endif\nd", "d"],
    ["#ifdef windows\na", ""],
    ["#endif\na\n#include\n #ifdef windows", "a\n#include\n #ifdef windows"],
  ])("%j leaves %j", (text, expected) => {
    expect(plainText(parseRd(text))).toBe(expected);
  });
});

describe("macros that a package defines", () => {
  test.each([
    [String.raw`\pair{\emph{a}}{b}`, 'T"[" emph(T"a") T"|b]"'],
    [String.raw`\pair{a} b`, 'T"[a|] b"'],
    [String.raw`\code{\pair{1}{2} "\pair{"}`, String.raw`code(R"[1|2] \"\\pair{\"")`],
    [String.raw`\verb{\pair{1}{2}}`, String.raw`verb(V"\\pair{1}{2}")`],
    [String.raw`\newcommand{\cmd}{\emph}\cmd{a}`, 'emph(T"a")'],
    [String.raw`\renewcommand{\wide}{\wider{#1}}\wide{a}`, String.raw`T"\\wider{" T"a" T"}"`],
    [String.raw`\none{}`, String.raw`T"\\none{}"`],
    ["a\n\\newcommand{\\x}{}\nb", String.raw`T"a\n\nb"`],
  ])("make %j into %s", (text, expected) => {
    expect(outline(parseRd(text, macros()))).toBe(expected);
  });

  test("of one file are unknown in the next", () => {
    const known = macros();
    parseRd(String.raw`\newcommand{\own}{a}`, known);
    expect(outline(parseRd(String.raw`\own`, known))).toBe(String.raw`T"\\own"`);
  });
});

describe("a file crafted to exhaust the parser", () => {
  const doubling = Array.from({ length: 60 }, (_, index) => {
    const [name, next] = [index, index + 1].map((number) => `m${"abcdefghij"[Math.floor(number / 10)]}${number % 10}x`);
    return `\\newcommand{\\${name}}{\\${next}\\${next}}`;
  }).join("");

  test.each([
    ["doubling macros", `${doubling}\\ma0x`],
    ["a macro that expands to itself", String.raw`\newcommand{\a}{\a}\a`],
    ["a macro that grows", String.raw`\newcommand{\a}{\emph{x\a\a}}\a`],
    ["an argument that is used many times", `\\newcommand{\\a}{${"#1".repeat(9000)}}\\a{${"x".repeat(500_000)}}`],
    ["groups in groups", "{".repeat(1_000_000)],
    ["macros in macros", "\\emph{".repeat(150_000)],
    ["lists in lists", "\\itemize{\\item ".repeat(60_000)],
    ["code in code", "\\code{'\\link{".repeat(80_000)],
    ["options that are never closed", "\\link[".repeat(150_000)],
    ["unknown macros in unknown macros", "\\x{".repeat(300_000)],
    ["closing braces", "}".repeat(1_000_000)],
    ["backslashes", "\\".repeat(1_000_000)],
    ["blanks", `\\section{a}${" ".repeat(1_000_000)}b`],
    ["conditions", "#ifdef windows\n".repeat(60_000)],
  ])("by %s is read in time, and bounded", (_, text) => {
    const started = cpuMs();
    const length = plainText(parseRd(text)).length;
    expect(standardMs(cpuMs() - started)).toBeLessThan(4000);
    expect(length).toBeLessThanOrEqual(3 * text.length + 500_000);
  });

  test("shows what is nested too deep as it is written", () => {
    const text = plainText(parseRd(`${"\\emph{".repeat(103)}a${"}".repeat(103)} b`));
    expect(text).toBe("\\emph{\\emph{a}} b");
  });
});
