import { disproportion, hostileTexts } from "@packhouse/fixtures/growth";
import { isThorough } from "@packhouse/fixtures/property-runs";
import { describe, expect, test } from "vitest";
import { fileDiff } from "../file-diff.ts";
import { pythonMetadata } from "../metadata/python-metadata.ts";
import { rMetadata } from "../metadata/r-metadata.ts";
import { spdxOfPython, spdxOfR } from "../metadata/spdx.ts";
import { countLines, decodeText } from "../reading/decode-text.ts";
import { generatedBy } from "../reading/generated.ts";
import { ExaminedText } from "./file-rule.ts";
import { fileRules } from "./file-rules.ts";

const utf8 = new TextEncoder();
const modified = Date.UTC(2026, 1, 3);

/** What a rule does with a text as a program, up to as many findings as an inspection lists. */
const examining =
  (rule: (typeof fileRules)[number]) =>
  (text: string): unknown => {
    const bytes = utf8.encode(text);
    const head = bytes.subarray(0, 4096);
    const size = bytes.byteLength;
    const common = { path: "R/a.R", size, mode: null, modified, head, bytes, isDamaged: false, now: modified };
    const asText = rule.examine({ ...common, kind: "text", text: new ExaminedText(text) });
    const other = rule.examine({ ...common, kind: "other", text: null });
    return [firstOf(asText), firstOf(other)];
  };

/** A rule that reports each subject once goes on after what it found already. */
const examiningAll =
  (rule: (typeof fileRules)[number]) =>
  (content: string): unknown => {
    const bytes = utf8.encode(content);
    const file = { path: "R/a.R", size: bytes.byteLength, mode: null, modified, head: bytes.subarray(0, 4096), bytes };
    const text = new ExaminedText(content);
    const found = rule.examine({ ...file, kind: "text", isDamaged: false, now: modified, text });
    return rule.once ? [...found].length : firstOf(found);
  };

function firstOf(found: Iterable<unknown>): unknown[] {
  const first: unknown[] = [];
  for (const finding of found) if (first.push(finding) === 20) break;
  return first;
}

const readers: Record<string, (text: string) => unknown> = {
  ...Object.fromEntries(fileRules.map((rule) => [`the rule ${rule.id}`, examining(rule)])),
  "a license of R": spdxOfR,
  "a license of Python": (text) => spdxOfPython({ expression: null, license: text, classifiers: [text] }),
  "the metadata of R": (text) => rMetadata.named(text),
  "the metadata of Python": (text) => [pythonMetadata.named(`${text}.whl`), pythonMetadata.isMetadata(text)],
  "generated files": (text) => generatedBy(`man/${text}.Rd`, text),
  "decoding and counting lines": (text) => countLines(decodeText(utf8.encode(text))?.text ?? ""),
  "a difference": (text) => fileDiff({ path: "a", text }, { path: "a", text: `x${text}y` }),
};

describe("time grows in proportion to the text", { timeout: 600_000 }, () => {
  const texts = hostileTexts(isThorough);

  test.for(Object.entries(readers).map(([name, run], row) => [name, run, row] as const))(
    "for %s",
    async ([, run, row]) => {
      for (const [index, { name, ofLength }] of texts.entries()) {
        // Each reader gets a twelfth of the texts, another one than the reader before; all of them if there is time.
        if (!isThorough && (index + row) % 12 !== 0) continue;
        const why = await disproportion(ofLength, run, isThorough ? "1 MiB" : "128 KiB");
        expect([name, why]).toEqual([name, undefined]);
      }
    },
  );
});

/** What rules look for, again and again on one line. */
const lines = ["http://a.bc ", '"203.0.113.9" ', "a\u200b", "a\u202e", "p\u0430y ", "/home/ann/x ", "AKIA", "://"];
const beginnings = { "a comment": "# ", code: "x ", "a comment far to the right": `${" ".repeat(4000)}# ` };

describe("time grows in proportion to a single line", { timeout: 600_000 }, () => {
  test.for(
    lines.flatMap((piece) => Object.entries(beginnings).map(([where, start]) => [piece, where, start] as const)),
  )("of %j in %s", async ([piece, , start]) => {
    const all = fileRules.map(examiningAll);
    const why = await disproportion(
      (length) => start + piece.repeat(length / piece.length),
      (text) => all.map((run) => run(text)),
      "1 MiB",
    );
    expect(why).toBeUndefined();
  });
});
