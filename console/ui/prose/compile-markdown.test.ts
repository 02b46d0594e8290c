import { disproportion, hostileTexts } from "@packhouse/fixtures/growth";
import { expect, test } from "vitest";
import { compileMarkdown } from "./compile-markdown.ts";
import { flowingText } from "./flowing-text.ts";
import { withoutElements } from "./readme.ts";

test("Markdown becomes HTML, and code keeps its language", () => {
  expect(compileMarkdown("**bold**\n\n```r\nx <- 1\n```\n")).toBe(
    '<p><strong>bold</strong></p>\n<pre data-language="r"><code>x &lt;- 1</code></pre>',
  );
});

test("Markdown that nests deeper than any stack is none", () => {
  expect(compileMarkdown("> ".repeat(50_000))).toBeNull();
});

test("what is no element becomes text", () => {
  expect(withoutElements("see <doi:10.1000/182> and </doi:x> and <b>", ["^doi", "("])).toBe(
    "see &lt;doi:10.1000/182> and &lt;/doi:x> and <b>",
  );
});

test("an expression of the settings that tries everything ends anyway", () => {
  const start = performance.now();
  withoutElements(`<${"a".repeat(5000)}!>`.repeat(3), ["^(a+)+$"]);
  expect(performance.now() - start).toBeLessThan(20_000);
});

test("what prepares descriptions takes time in proportion to them", { timeout: 120_000 }, async () => {
  for (const { name, ofLength } of hostileTexts(false))
    for (const prepare of [flowingText, (text: string) => withoutElements(text, ["^doi", "^(a+)+$"])])
      expect([name, await disproportion(ofLength, prepare, "128 KiB")]).toEqual([name, undefined]);
});
