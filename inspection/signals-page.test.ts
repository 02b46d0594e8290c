import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { signalsPage } from "./signals-page.ts";

test("the manual lists the signals as they are (node scripts/pages/signals-page.ts)", () => {
  expect(readFileSync(join(import.meta.dirname, "../docs/signals.md"), "utf8")).toBe(signalsPage());
});
