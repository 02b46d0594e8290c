import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

const consoleFolder = resolve(import.meta.dirname, "../..");

test("every control that copies confirms it, because only one function writes to the clipboard", () => {
  const sources = globSync("**/*.{ts,tsx}", { cwd: consoleFolder, exclude: ["dist/**", "**/*.test.ts"] });
  const writing = sources.filter((path) => readFileSync(join(consoleFolder, path), "utf8").includes("clipboard."));
  expect(sources.length).toBeGreaterThan(100);
  expect(writing).toEqual(["ui/copy/copy-text.ts"]);
});
