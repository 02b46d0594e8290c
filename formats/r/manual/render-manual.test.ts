import { cpuMs, standardMs } from "@packhouse/fixtures/cpu-time";
import { propertyRuns } from "@packhouse/fixtures/property-runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ManualSource, renderManual } from "./render-manual.ts";

const manual = (texts: readonly string[], more: Partial<ManualSource> = {}): string =>
  renderManual({
    packageName: "gridwalk",
    version: "0.3.1",
    title: "Walks on a Grid",
    fields: new Map([["Package", "gridwalk"]]),
    files: texts.map((text, index) => ({ path: `man/file${index}.Rd`, text })),
    macros: [],
    ...more,
  });

const topic = (name: string, body = "", title = `About ${name}`): string =>
  `\\name{${name}}\n\\alias{${name}}\n\\title{${title}}\n${body}`;

/** The rendered body, starting with its first section. */
function rendered(body: string, more: Partial<ManualSource> = {}): string {
  const page = manual([topic("walk", body)], more);
  return page.slice(page.indexOf("<h3>"), page.indexOf("</section>")).trim();
}

/** The content of a details section. */
const details = (text: string): string => rendered(`\\details{${text}}`).replace("<h3>Details</h3>\n", "").trim();

describe("a manual", () => {
  test("is a self-contained page, with the fields of DESCRIPTION", () => {
    const page = manual([topic("walk")], { fields: new Map([["License", "MIT <x>"]]) });
    expect(page).toMatch(/^<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">/);
    expect(page).toContain("<title>gridwalk 0.3.1 – reference manual</title>");
    expect(page).toContain("<dt>License</dt><dd>MIT &lt;x&gt;</dd>");
    expect(page.trimEnd()).toMatch(/<\/html>$/);
    expect(page).not.toMatch(/<script|<link|<img|src=|@import|url\(/);
  });

  test("lists its topics by name, the package's first, internal ones last", () => {
    const internal = "\\keyword{internal}";
    const names = [topic("b"), topic("a", internal), topic("C"), topic("gridwalk-package", internal), topic("A")];
    const links = [...manual(names).matchAll(/<li><a href="#([^"]*)">/g)].map(([, id]) => id);
    expect(links).toEqual(["topic-gridwalk-package", "topic-A", "topic-b", "topic-C", "topic-a"]);
  });

  test("gives each topic a unique id that is safe in an address", () => {
    const page = manual([topic("[<-.x"), topic("[<-.x"), topic("a b"), topic("x".repeat(500))]);
    const ids = [...page.matchAll(/<section id="([^"]*)">/g)].map(([, id]) => id ?? "");
    expect(new Set(ids).size).toBe(4);
    for (const id of ids) expect(id).toMatch(/^topic-[A-Za-z0-9._-]{1,70}$/);
  });

  test("names a topic without name and title after its file", () => {
    expect(manual(["\\description{a}"])).toContain("<h2>file0</h2>");
  });

  test("shows sections in R's order, only once where R does, and no empty ones", () => {
    const body =
      "\\examples{e}\\seealso{s}\\references{r}\\author{a}\\note{n}\\section{Own}{o}\\value{v}\\details{d}\\note{m}" +
      "\\format{f}\\arguments{\\item{x}{y}}\\usage{u}\\description{c}\\source{ }\\details{again}\\concept{k}\\keyword{k}";
    const headings = [...rendered(body).matchAll(/<h3>(.*)<\/h3>/g)].map(([, heading]) => heading);
    expect(headings).toEqual(
      "Description,Usage,Arguments,Format,Details,Value,Own,Note,Note,Author(s),References,See Also,Examples".split(
        ",",
      ),
    );
  });

  test("expands macros of the package and of R", () => {
    const text = rendered("\\details{\\greet{you} \\packageTitle{gridwalk} \\doi{10.1/a<b\\%20}}", {
      macros: ["\\newcommand{\\greet}{Hello \\emph{#1}}"],
      fields: new Map([["Title", "100% of {it}"]]),
    });
    expect(text).toContain("Hello <em>you</em> 100% of {it} ");
    expect(text).toContain('<a href="https://doi.org/10.1/a&lt;b%20" rel="noreferrer noopener">doi:10.1/a&lt;b%20</a>');
  });
});

describe("the text of a topic", () => {
  test.each([
    ["a\n\nb", "<p>a</p>\n<p>b</p>"],
    ["\\emph{a} \\strong{b} \\code{x <- 1} \\R", "<p><em>a</em> <strong>b</strong> <code>x &lt;- 1</code> R</p>"],
    ["a -- b --- ``c'' `d' don't", "<p>a – b — “c” ‘d’ don&#39;t</p>"],
    ["\\code{a--b} \\command{ls --all}", "<p><code>a--b</code> <code>ls --all</code></p>"],
    ["\\sQuote{a} \\dQuote{b} \\file{c} \\samp{d}", '<p>‘a’ “b” ‘<span class="file">c</span>’ ‘<samp>d</samp>’</p>'],
    ["\\enc{é}{e} \\if{html}{H}\\if{latex}{L}\\ifelse{text}{T}{N}", "<p>é HN</p>"],
    [
      "\\eqn{\\alpha \\le 1}{a <= 1}, \\eqn{\\beta}",
      '<p><code class="math">a &lt;= 1</code>, <code class="math">β</code></p>',
    ],
    ["a \\deqn{x}{y} b", '<p>a</p>\n<p class="display"><code class="math">y</code></p>\n<p>b</p>'],
    ["\\figure{a.png}{A map}", '<p><span class="figure">[A map]</span></p>'],
    ["\\figure{a.svg}{options: width=9 alt='[Stable]'}", '<p><span class="figure">[[Stable]]</span></p>'],
    ["\\figure{a.svg}", '<p><span class="figure">[a.svg]</span></p>'],
    [
      '\\Sexpr[results=rd]{f("x")}',
      '<p><span class="unevaluated">[not evaluated: <code>f(&quot;x&quot;)</code>]</span></p>',
    ],
    ["a\\Sexpr[results=hide]{f()}\\Sexpr{# b}", "<p>a</p>"],
    [
      "a \\itemize{\\item b\n\nc \\item d} e",
      "<p>a</p>\n<ul>\n<li><p>b</p>\n<p>c</p>\n</li>\n<li><p>d</p>\n</li>\n</ul>\n<p>e</p>",
    ],
    [
      "\\describe{\\item{a}{b}\n\\item{c}{d}}",
      "<dl>\n<dt>a</dt><dd><p>b</p>\n</dd>\n<dt>c</dt><dd><p>d</p>\n</dd>\n</dl>",
    ],
    ["\\strong{\\itemize{\\item a}}", "<ul>\n<li><p>a</p>\n</li>\n</ul>"],
    [
      "\\tabular{lrc}{a \\tab b \\cr\n}",
      '<div class="wide"><table>\n<tr><td class="left">a </td><td class="right"> b </td></tr>\n</table></div>',
    ],
    ["\\subsection{S}{a}", "<h4>S</h4>\n<p>a</p>"],
    ["\\preformatted{ a\n  b}", "<pre> a\n  b</pre>"],
    ["\\toString{a} \\constructor", "<p>\\toString{a} \\constructor</p>"],
  ])("%j becomes %j", (text, expected) => {
    expect(details(text)).toBe(expected);
  });

  test("shows argument names as code, next to other text", () => {
    expect(rendered("\\arguments{Both: \\item{x, \\dots}{a}\n\\item{\\code{y}}{b}}")).toBe(
      "<h3>Arguments</h3>\n<p>Both:</p>\n<dl>\n<dt><code>x, ...</code></dt><dd><p>a</p>\n</dd>\n" +
        "<dt><code>y</code></dt><dd><p>b</p>\n</dd>\n</dl>",
    );
  });

  test("shows examples without the parts that are only tests", () => {
    const examples = "\\examples{\na\n\\dontrun{b}\n\\dontrun{\nc\n}\n\\donttest{d}\\dontshow{e}\\testonly{f}\n}";
    expect(rendered(examples)).toBe(
      "<h3>Examples</h3>\n<pre><code>a\n## Not run: b\n## Not run: \nc\n\n## End(Not run)\nd</code></pre>",
    );
  });
});

describe("links", () => {
  const linked = (text: string) => {
    const other = topic("turn", "\\alias{turn_left}\\alias{Turn-class}");
    const page = manual([topic("walk", `\\details{${text}}`), other]);
    return /<h3>Details<\/h3>\n<p>(.*)<\/p>/.exec(page)?.[1];
  };
  const anchor = (text: string) => `<a href="#topic-turn">${text}</a>`;

  test.each([
    ["\\link{turn}", anchor("turn")],
    ["\\code{\\link{turn_left}}", `<code>${anchor("turn_left")}</code>`],
    ["\\link[=turn]{go}", anchor("go")],
    ["\\link[gridwalk]{turn}", anchor("turn")],
    ["\\link[gridwalk:file1]{go}", anchor("go")],
    ["\\linkS4class{Turn}", anchor("Turn")],
    ["\\link{nowhere}", "nowhere"],
    ["\\link[stats]{turn}", "turn"],
    [
      "\\href{https://a.example/?b=1&c}{\\link{turn}}",
      '<a href="https://a.example/?b=1&amp;c" rel="noreferrer noopener">turn</a>',
    ],
    ["\\url{http://a.example}", '<a href="http://a.example" rel="noreferrer noopener">http://a.example</a>'],
    ["\\email{m@a.example}", '<a href="mailto:m@a.example" rel="noreferrer noopener">m@a.example</a>'],
    ["\\url{ftp://a.example}", "ftp://a.example"],
    ["\\href{javascript:alert(1)}{a}", "a"],
    ["\\href{java\nscript:alert(1)}{a}", "a"],
    ["\\href{data:text/html,x}{a}", "a"],
    ["\\href{//a.example}{a}", "a"],
  ])("%j become %j", (text, expected) => {
    expect(linked(text)).toBe(expected);
  });
});

describe("usage", () => {
  test.each([
    ["walk(x, \\dots)", "walk(x, ...)"],
    ["\\method{print}{walk}(x, ...)", "## S3 method for class 'walk'\nprint(x, ...)"],
    ["\\S3method{summary}{default}(x)", "## Default S3 method:\nsummary(x)"],
    ["\\S4method{show}{Walk,ANY}(object)", "## S4 method for signature 'Walk,ANY'\nshow(object)"],
    ["\\method{names}{walk}(x) <- value", "## S3 replacement method for class 'walk'\nnames(x) <- value"],
    ["\\method{[}{walk}(x, i, j = c(1, 2))", "## S3 method for class 'walk'\nx[i, j = c(1, 2)]"],
    ["\\method{[[}{walk}(x, i) <- value", "## S3 replacement method for class 'walk'\nx[[i]] <- value"],
    ["\\method{$}{walk}(x, name)", "## S3 method for class 'walk'\nx$name"],
    ["\\method{+}{walk}(e1, e2)", "## S3 method for class 'walk'\ne1 + e2"],
    ["\\method{\\%in\\%}{walk}(x, table)", "## S3 method for class 'walk'\nx %in% table"],
    ["\\method{!}{walk}(x)", "## S3 method for class 'walk'\n!x"],
    ["\\method{toString}{walk}(x)", "## S3 method for class 'walk'\ntoString(x)"],
    ['\\method{f}{walk}(x = ")", y)\ng()', "## S3 method for class 'walk'\nf(x = \")\", y)\ng()"],
    ["a()\n\\method{b}{c}", "a()\n## S3 method for class 'c'\nb"],
    [`\\S4method{f}{${"a".repeat(60)}}(x)`, `## S4 method for signature \n## '${"a".repeat(60)}'\nf(x)`],
  ])("%j is shown as %j", (usage, expected) => {
    const shown = /<pre><code>([\s\S]*)<\/code><\/pre>/.exec(rendered(`\\usage{\n${usage}\n}`))?.[1] ?? "";
    expect(shown.replaceAll("&#39;", "'").replaceAll("&lt;", "<").replaceAll("&quot;", '"')).toBe(expected);
  });
});

describe("foreign markup", () => {
  const hostile = "<img src=x onerror=\"alert(1)\"></style><script>alert('1')</script>";
  /** The only tags that a manual contains, with the only attributes. */
  const ours =
    /^<(?:!DOCTYPE html|html lang="en"|meta charset="utf-8"|meta name="viewport" content="[^"<>]*"|a href="(?:#topic-[\w.-]+|(?:https?:|mailto:)[^"<>]*)"(?: rel="noreferrer noopener")?|section id="topic-[\w.-]+"|(?:p|ul|span|dl|td|code|div) class="[a-z-]+"|br|\/?(?:html|head|title|style|body|main|section|h[1-6]|p|dl|dt|dd|ul|ol|li|table|tr|td|div|pre|code|kbd|samp|var|em|strong|cite|dfn|abbr|span|a))>$/;
  const foreignTags = (page: string) =>
    [...page.matchAll(/<[^>]*>?/g)].map(([tag]) => tag).filter((tag) => !ours.test(tag));

  test.each([
    ["text", hostile],
    ["code", `\\code{${hostile}}`],
    ["\\out", `\\out{${hostile}}`],
    ["\\if", `\\if{html}{\\out{${hostile}}}`],
    ["an address", `\\url{https://${hostile}} \\href{https://${hostile}}{${hostile}} \\email{${hostile}}`],
    ["a link", `\\link[=${hostile.slice(0, 40)}]{${hostile}}`],
    ["an unknown macro", `\\script{${hostile}} \\Sexpr{${hostile}}`],
    ["a table", `\\tabular{${hostile}lr}{${hostile} \\tab ${hostile}}`],
    ["a figure", `\\figure{${hostile}}{options: alt='${hostile}'} \\eqn{${hostile}}`],
  ])("in %s is text", (_, text) => {
    const page = manual([topic("walk", `\\details{${text}}\\usage{${hostile}}\\section{${hostile}}{a}`)]);
    expect(foreignTags(page)).toEqual([]);
    expect(page).toContain("&lt;");
  });

  test("is text in names, titles and fields", () => {
    const page = manual([topic(hostile, `\\alias{${hostile}}\\keyword{${hostile}}`, hostile)], {
      packageName: hostile,
      version: hostile,
      title: hostile,
      fields: new Map([["Description", hostile]]),
      macros: [`\\newcommand{\\x}{${hostile}}`],
    });
    expect(foreignTags(page)).toEqual([]);
  });

  test("is never produced by any text", () => {
    const words = [
      "\\",
      "{",
      "}",
      "[",
      "]",
      "%",
      "\n",
      "\n\n",
      '"',
      "'",
      "`",
      "#",
      "<b>",
      "&",
      "$",
      "(",
      ",",
      ")",
      " ",
      "a",
      "l",
    ];
    const macros =
      `name alias title usage arguments value details examples section subsection item itemize describe code link
      linkS4class href url email tabular tab cr method S4method eqn deqn figure if ifelse out Sexpr newcommand renewcommand
      dontrun preformatted verb emph enc doi R dots`.split(/\s+/);
    const piece = fc.oneof(
      fc.constantFrom(...words),
      fc.constantFrom(...macros).map((name) => `\\${name}{`),
      fc.constantFrom("\n#ifdef unix\n", "\n#endif\n", "\\newcommand{\\a}{\\a#1<i>}", "\\a{", "http://x.example/"),
      fc.string({ unit: "binary", maxLength: 8 }),
    );
    const text = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(text, text, (one, two) => {
        const page = manual([one, topic("b", `\\details{${two}}`)], {
          macros: [two],
          title: one,
          fields: new Map([["Description", `${one}${two}`]]),
        });
        expect(foreignTags(page)).toEqual([]);
      }),
      propertyRuns(500),
    );
  });
});

describe("a package crafted to exhaust the renderer", () => {
  test.each([
    ["many links to a long name", [topic("x".repeat(5000), `\\details{${"\\link{a}".repeat(50_000)}}\\alias{a}`)]],
    ["many tables", [topic("a", `\\details{${`\\tabular{l}{${"\\tab".repeat(9)}}`.repeat(10_000)}}`)]],
    ["marks within marks", [topic("a", `\\details{${"\\strong{\\itemize{\\item ".repeat(20_000)}}`)]],
    ["methods", [topic("a", `\\usage{${"\\method{a}{b}(".repeat(40_000)}}`)]],
    ["quotes", [topic("a", `\\details{${"`".repeat(500_000)}}`)]],
    ["macros in every file", Array.from({ length: 20 }, () => topic("a", `\\details{${"\\b{x}".repeat(2000)}}`))],
  ])("with %s gives a page in time, and bounded", (_, files) => {
    const started = cpuMs();
    const page = manual(files, { macros: [`\\newcommand{\\b}{${"\\R#1".repeat(1000)}}`] });
    expect(standardMs(cpuMs() - started)).toBeLessThan(4000);
    expect(page.length).toBeLessThan(files.join("").length * 30 + 4_000_000);
  });
});
