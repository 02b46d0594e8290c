import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { allTexts as en } from "./all-texts.ts";
import { pl } from "./pl.ts";

const plural = /_(one|few|many|other)$/;

function keysOf(catalog: object, prefix = ""): string[] {
  return Object.entries(catalog).flatMap(([key, value]) => {
    const path = prefix ? `${prefix}.${key}` : key;
    return typeof value === "object" && value !== null ? keysOf(value, path) : [path];
  });
}

const withoutForms = (keys: string[]) => [...new Set(keys.map((key) => key.replace(plural, "")))].sort();
const folder = join(import.meta.dirname, "..");
const source = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter(
    (path) =>
      /\.tsx?$/.test(path) && !/^(node_modules|dist)\/|^language\/.*(texts|details.*|en|pl)\.ts$|\.test\./.test(path),
  )
  .map((path) => readFileSync(join(folder, path), "utf8"))
  .join("\n");

describe("the language catalogs", () => {
  test("have the same keys", () => {
    expect(withoutForms(keysOf(pl))).toEqual(withoutForms(keysOf(en)));
  });

  test("have every plural form of Polish", () => {
    const stems = keysOf(en)
      .filter((key) => plural.test(key))
      .map((key) => key.replace(plural, ""));
    const wanted = stems.flatMap((stem) => ["one", "few", "many", "other"].map((form) => `${stem}_${form}`));
    expect(keysOf(pl)).toEqual(expect.arrayContaining([...new Set(wanted)]));
  });

  test("have no key that nothing uses", () => {
    // Keys whose last part is computed count as used by the name of their group.
    const computed = [
      "code.",
      "role.",
      "state.",
      "origin.",
      "done.",
      "runningAction.",
      "actionInSentence.",
      "resource.",
      "screen.",
      "signInRefused.",
      "action.",
      "package.",
      "event.",
      "eventResource.",
      "securityEvent.",
      "property.",
      "eventValue.",
      "settings.",
      "mail.kind.",
      "mail.hint.",
      "mail.time.",
      "reason.declarative",
      "bulk.packages",
      "bulk.maintainers",
      "bulk.tokens",
      "bulk.users",
      "bulkNoun.",
      "dependency.",
      "upload.done",
      "session.refused.",
      "secondStep.add.",
      "secondStep.hint.",
      "secondStep.kind.",
      "secondStep.use.",
      "relative.named.",
      "relative.duration.",
      "review.sort.",
      "review.level.",
      "review.count.",
      "review.signal.",
      "review.indicator.",
      "review.indicatorHint.",
      "review.breakage.",
      "review.entry.",
      "review.decided.",
      "review.tab.",
      "review.result.",
      "review.claim.",
      "review.check.",
      "review.risk.",
      "review.change.",
      "review.kind.",
      "review.found.",
      "review.dependencyChange.",
      "review.running.",
      "review.done.",
      "review.ask.",
      "review.reason.",
      "review.bulk.",
    ];
    const unused = withoutForms(keysOf(en)).filter(
      (key) => !computed.some((group) => key.startsWith(group)) && !source.includes(`"${key}"`),
    );
    expect(unused).toEqual([]);
  });
});
