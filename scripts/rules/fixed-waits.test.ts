import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { project } from "../stages.ts";

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
  exclude: ["**/node_modules/**", "**/dist/**", "scripts/rules/fixed-waits.test.ts"],
});

test("no test waits for a fixed time, unless it says why", () => {
  expect(files.length).toBeGreaterThan(200);
  expect(files.flatMap((path) => fixedWaits(path, readFileSync(`${project}/${path}`, "utf8")))).toEqual([]);
});

/**
 * Another process may take the processor for seconds, so that a test which compares the time of the wall with a short
 * one fails on a busy machine. What is about computation measures the processor's time (`fixtures/cpu-time.ts`).
 */
const shortestSeconds = 10;
const bound = /\b(?:performance|Date)\.now\(\) - \w+\)\.toBeLessThan\(([\d_]+)\)/;

const shortBounds = (path: string, text: string): string[] =>
  text.split("\n").flatMap((line, index) => {
    const ms = Number(bound.exec(line)?.[1]?.replaceAll("_", "") ?? Number.POSITIVE_INFINITY);
    return ms < shortestSeconds * 1000 ? [`${path}:${index + 1}: ${line.trim()}`] : [];
  });

/** The same work takes an old processor several times as long, and any processor whose memory others use. */
const unscaledBound = /\bexpect\(cpuMs\(\) - \w+\)\.toBeLessThan\([\d_]+\)/;

test("no test fails because the processor is slow", () => {
  const unscaled = (path: string) => (unscaledBound.test(readFileSync(`${project}/${path}`, "utf8")) ? [path] : []);
  expect(files.flatMap(unscaled)).toEqual([]);
});

test("no test fails because the machine has other work", () => {
  expect(files.flatMap((path) => shortBounds(path, readFileSync(`${project}/${path}`, "utf8")))).toEqual([]);
});

/** `vi.waitUntil` and `vi.waitFor` give up after a second by default. */
const shortWaits = (path: string, text: string): string[] =>
  [...text.matchAll(/\bvi\.wait(?:Until|For)\(/g)].flatMap(({ index }) => {
    const call = text.slice(index, endOfCall(text, index));
    return /timeout|, (?:atOnce|patient)\)$/.test(call) ? [] : [`${path}: ${call}`];
  });

function endOfCall(text: string, start: number): number {
  let depth = 0;
  for (let at = text.indexOf("(", start); at < text.length; at += 1) {
    if (text[at] === "(") depth += 1;
    else if (text[at] === ")") depth -= 1;
    if (depth === 0) return at + 1;
  }
  return text.length;
}

test("every wait for a condition says how long it waits", () => {
  expect(files.flatMap((path) => shortWaits(path, readFileSync(`${project}/${path}`, "utf8")))).toEqual([]);
});

test("a wait that does not say how long is found", () => {
  expect(shortWaits("a", "await vi.waitUntil(() => ready(1));")).toEqual(["a: vi.waitUntil(() => ready(1))"]);
  expect(shortWaits("a", "await vi.waitUntil(\n  () => ready(1),\n  { timeout: 9 },\n);")).toEqual([]);
});

test("a short bound is found", () => {
  expect(shortBounds("a", "expect(performance.now() - started).toBeLessThan(9_999);")).toHaveLength(1);
  expect(shortBounds("a", "expect(performance.now() - started).toBeLessThan(10_000);")).toEqual([]);
  expect(shortBounds("a", "expect(standardMs(cpuMs() - started)).toBeLessThan(500);")).toEqual([]);
  expect(unscaledBound.test("expect(cpuMs() - started).toBeLessThan(500);")).toBe(true);
  expect(unscaledBound.test("expect(standardMs(cpuMs() - started)).toBeLessThan(500);")).toBe(false);
});

test("a wait is found, unless it is explained or looks at a condition again", () => {
  expect(fixedWaits("a", "await sleep(20);")).toEqual(["a:1: await sleep(20);"]);
  expect(fixedWaits("a", "await page.waitForTimeout(9);")).toHaveLength(1);
  expect(fixedWaits("a", `${reason}so\nawait sleep(20);`)).toEqual([]);
  expect(fixedWaits("a", "while (!ready())\n  await sleep(20);")).toEqual([]);
});
