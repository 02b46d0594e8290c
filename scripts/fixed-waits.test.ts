import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { project } from "./stages.ts";

/**
 * A test that waits for a time is slow on a fast machine and fails on a slow one: it waits for a condition instead
 * (`vi.waitUntil`, `vi.waitFor`, `expect.poll`). Where time itself is what is tried, a comment says so:
 * `// fixed wait: …`, with the reason.
 */
const wait = /\bsleep\(|\.waitForTimeout\(|\bawait setTimeout\(|\bsetTimeout\((?:done|resolve|later)\b/;
const reason = "// fixed wait: ";
/** A condition is looked at again after a pause. */
const loop = /\b(?:while|for) \(/;

function fixedWaits(path: string, text: string): string[] {
  const lines = text.split("\n");
  return lines.flatMap((line, index) => {
    if (!wait.test(line)) return [];
    const before = lines.slice(Math.max(0, index - 6), index + 1);
    const isExplained = before.slice(-3).some((one) => one.includes(reason));
    return isExplained || before.some((one) => loop.test(one)) ? [] : [`${path}:${index + 1}: ${line.trim()}`];
  });
}

const files = globSync("{contract,formats,inspection,fixtures,server,console,scripts,e2e}/**/*.{test,spec}.{ts,tsx}", {
  cwd: project,
  exclude: ["**/node_modules/**", "**/dist/**", "scripts/fixed-waits.test.ts"],
});

test("no test waits for a time but by a reason", () => {
  expect(files.length).toBeGreaterThan(200);
  expect(files.flatMap((path) => fixedWaits(path, readFileSync(`${project}/${path}`, "utf8")))).toEqual([]);
});

test("a wait is found, unless it is explained or looks at a condition again", () => {
  expect(fixedWaits("a", "await sleep(20);")).toEqual(["a:1: await sleep(20);"]);
  expect(fixedWaits("a", "await page.waitForTimeout(9);")).toHaveLength(1);
  expect(fixedWaits("a", `${reason}so\nawait sleep(20);`)).toEqual([]);
  expect(fixedWaits("a", "while (!ready())\n  await sleep(20);")).toEqual([]);
});
