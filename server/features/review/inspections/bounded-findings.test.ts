import type { Comparison } from "@packhouse/contract/review/comparison";
import type { InspectedFile, Inspection, Signal } from "@packhouse/contract/review/inspection";
import { expect, test } from "vitest";
import { boundedComparison, boundedInspection } from "./bounded-findings.ts";

const file = (number: number): InspectedFile => ({
  path: `R/${number}.R`,
  size: 1,
  mode: null,
  sha256: "0".repeat(64),
  kind: "text",
  encoding: "utf-8",
  lines: 1,
  generated: false,
});
const info: Signal = {
  id: "builder-path",
  level: "info",
  subject: "x".repeat(50),
  file: null,
  line: null,
  excerpt: null,
};
const danger: Signal = { ...info, id: "token", level: "danger" };

const inspection = (files: number, signals: Signal[]): Inspection => ({
  inspector: 1,
  technology: "R",
  name: "tidepool",
  version: "1.0",
  files: Array.from({ length: files }, (_, number) => file(number)),
  fields: [{ name: "Title", value: "Pools" }],
  spdx: null,
  dependencies: [],
  interface: [],
  signals,
  indicators: [],
  incomplete: [],
});

test("findings that fit are stored as they are", () => {
  const small = inspection(3, [info]);
  expect(boundedInspection(small)).toEqual(small);
});

test("findings that do not fit lose the ends of long lists, never what is dangerous, and say that they are incomplete", () => {
  const large = inspection(5000, [...Array.from({ length: 3000 }, () => info), danger]);
  const bounded = boundedInspection(large, 50_000);
  expect(Buffer.byteLength(JSON.stringify(bounded))).toBeLessThan(50_000);
  expect(bounded.incomplete).toEqual([{ reason: "size", paths: [] }]);
  expect(bounded.signals.slice(0, 2).map(({ id }) => id)).toEqual(["incomplete", "token"]);
  expect(bounded.files.length).toBeGreaterThan(0);
});

test("a comparison that does not fit keeps its sums and its dangers", () => {
  const comparison: Comparison = {
    inspector: 1,
    files: [],
    added: 7,
    removed: 3,
    fields: [],
    dependencies: [],
    interface: { changes: [], unchanged: 0, result: "compatible", claim: "patch" },
    signals: { fresh: [...Array.from({ length: 3000 }, () => info), danger], gone: [], unchanged: [] },
    indicators: [],
  };
  const bounded = boundedComparison(comparison, 20_000);
  expect(Buffer.byteLength(JSON.stringify(bounded))).toBeLessThan(20_000);
  expect(bounded.signals.fresh.slice(0, 2).map(({ id }) => id)).toEqual(["incomplete", "token"]);
  expect([bounded.added, bounded.removed]).toEqual([7, 3]);
});
