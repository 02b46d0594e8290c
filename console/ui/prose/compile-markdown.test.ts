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

test("Markdown that is nested deeper than any stack is refused", () => {
  expect(compileMarkdown("> ".repeat(50_000))).toBeNull();
});

test("anything but an element becomes text", () => {
  expect(withoutElements("see <doi:10.1000/182> and </doi:x> and <b>", ["^doi", "("])).toBe(
    "see &lt;doi:10.1000/182> and &lt;/doi:x> and <b>",
  );
});

test("a pattern in the settings with exponential backtracking still ends", () => {
  const start = performance.now();
  withoutElements(`<${"a".repeat(5000)}!>`.repeat(3), ["^(a+)+$"]);
  expect(performance.now() - start).toBeLessThan(20_000);
});

test("preparing descriptions takes linear time", { timeout: 120_000 }, async () => {
  for (const { name, ofLength } of hostileTexts(false))
    for (const prepare of [flowingText, (text: string) => withoutElements(text, ["^doi", "^(a+)+$"])])
      expect([name, await disproportion(ofLength, prepare, "128 KiB")]).toEqual([name, undefined]);
});
