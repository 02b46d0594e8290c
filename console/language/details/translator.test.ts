import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { plDetails } from "./polish.ts";
import { translatorOf } from "./translator.ts";

const translate = translatorOf(plDetails);

test("what is wrong with a file is Polish in the Polish console, and names stay as they are", () => {
  expect(translate("it ends too early")).toBe("kończy się za wcześnie");
  expect(translate("the archive is malformed: a size is impossible")).toBe(
    "archiwum jest nieprawidłowe: rozmiar jest niemożliwy",
  );
  expect(translate('there is unexpected data after "a.py"')).toBe('są tam nieoczekiwane dane po "a.py"');
  expect(translate("Summary has more than 512 bytes")).toBe("Summary ma więcej bajtów niż 512");
  expect(translate("line 12 is not a field")).toBe("wiersz 12 nie jest polem");
  expect(translate("src/main.c, LICENSE")).toBe("src/main.c, LICENSE");
});

/** Functions that refuse a file, and where in a line what they say stands. */
const refusing =
  /\b(?:UnacceptablePackage\(\s*\[[^\]]*\],\s*|(?:tooMuch|malformed|damaged|ambiguous|tooLarge)\(|unreadable\(\w+, |return )(["`])/g;

test("every sentence that the formats say about a file is Polish in the Polish console", () => {
  const folder = resolve(import.meta.dirname, "../../../formats");
  const files = globSync("{archive,python,r}/*.ts", { cwd: folder, exclude: ["**/*.test.ts"] });
  const sentences = [...files, "metadata-limits.ts"].flatMap((file) => {
    const text = readFileSync(join(folder, file), "utf8");
    return [...text.matchAll(refusing)].flatMap(({ 0: found, 1: quote = "", index }) => {
      const from = index + found.length;
      const sentence = text
        .slice(from, text.indexOf(quote, from))
        .replace(/\$\{[^}]*\([^)]*\)[^}]*\}|\$\{[^}]*\}/g, "{}");
      // Other functions return texts, too; a sentence about a file has several words.
      const isSentence = / [a-z]{2,} |^[a-z]+ [a-z]+$/.test(sentence) || /\bRECORD /.test(sentence);
      if (found.startsWith("return") && !/^RECORD /.test(sentence)) return [];
      return isSentence ? [found.startsWith("unreadable") ? `line {} ${sentence}` : sentence] : [];
    });
  });
  expect(sentences.length).toBeGreaterThan(70);
  const known = new Set(Object.keys(plDetails));
  expect([...new Set(sentences)].filter((sentence) => !known.has(sentence) && sentence !== "line {} {}")).toEqual([]);
});
