import { cpuMs, standardMs } from "@packhouse/fixtures/cpu-time";
import { propertyRuns } from "@packhouse/fixtures/property-runs";
import fc from "fast-check";
import { applyPatch as applyByReference } from "rfc6902";
import { describe, expect, test } from "vitest";
import { applyPatch, measure, PatchFailure, type PatchOperation, patchLimits } from "./apply-patch.ts";

const apply = (document: unknown, ...operations: PatchOperation[]) => {
  applyPatch(document, operations);
  return document;
};
const jsonBytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}
const failure = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    if (error instanceof PatchFailure) return error.message;
    throw error;
  }
  return "";
};

// A few names only, so that most pointers meet something.
const token = fc.constantFrom("a", "b", "0", "1", "-", "~0", "~1");
const pointer = fc.array(token, { maxLength: 4 }).map((tokens) => tokens.map((one) => `/${one}`).join(""));
// The reference loses members of this name when it copies.
const value = fc.jsonValue({ maxDepth: 3 }).filter((given) => !JSON.stringify(given).includes("__proto__"));
const operation: fc.Arbitrary<PatchOperation> = fc.oneof(
  fc.record({ op: fc.constantFrom("add" as const, "replace" as const, "test" as const), path: pointer, value }),
  fc.record({ op: fc.constant("remove" as const), path: pointer }),
  fc.record({ op: fc.constantFrom("move" as const, "copy" as const), path: pointer, from: pointer }),
  fc.record({
    op: fc.constant("copy" as const),
    path: fc.constantFrom("/a/-", "/b/-"),
    from: fc.constantFrom("/a", "/b"),
  }),
);
const document = fc.record({ a: fc.array(value, { maxLength: 3 }), b: fc.array(value, { maxLength: 3 }), "~": value });

describe("a JSON patch", () => {
  test("follows RFC 6902 whenever it is applied", () => {
    fc.assert(
      fc.property(document, fc.array(operation, { maxLength: 12 }), (before, operations) => {
        const ours: unknown = structuredClone(before);
        for (const one of operations) {
          const reference: unknown = structuredClone(ours);
          if (failure(() => apply(ours, one)) !== "") return;
          const answers = applyByReference(reference, [structuredClone(one)] as Parameters<typeof applyByReference>[1]);
          expect(answers).toEqual([null]);
          expect(ours).toEqual(reference);
        }
      }),
      propertyRuns(2000),
    );
  });

  test("never makes its document larger or deeper than allowed, at no step", () => {
    const limits = { documentBytes: 2000, depth: 8, work: 100_000 };
    fc.assert(
      fc.property(document, fc.array(operation, { maxLength: 60 }), (before, operations) => {
        const changed: unknown = structuredClone(before);
        const most = Math.max(limits.documentBytes, measure(before, Number.POSITIVE_INFINITY).bytes);
        for (const one of operations) {
          failure(() => applyPatch(changed, [one], { ...limits, documentBytes: most }));
          expect(jsonBytes(changed)).toBeLessThanOrEqual(most);
          expect(depthOf(changed)).toBeLessThanOrEqual(Math.max(limits.depth, depthOf(before)));
        }
      }),
      propertyRuns(500),
    );
  });

  test("keeps its size count equal to the real size", () => {
    fc.assert(
      fc.property(document, fc.array(operation, { maxLength: 30 }), (before, operations) => {
        const changed: unknown = structuredClone(before);
        const most = measure(before, Number.POSITIVE_INFINITY).bytes;
        failure(() => applyPatch(changed, operations, { ...patchLimits, documentBytes: 0 }));
        expect(jsonBytes(changed)).toBeLessThanOrEqual(most);
      }),
      propertyRuns(1000),
    );
  });

  const doubling = (copies: number): PatchOperation[] => [
    { op: "add", path: "/x", value: [0] },
    { op: "add", path: "/y", value: [0] },
    ...Array.from({ length: copies }, (_, index): PatchOperation => {
      const [from, to] = index % 2 === 0 ? ["/x", "/y/-"] : ["/y", "/x/-"];
      return { op: "copy", from, path: to };
    }),
  ];

  test.for([
    ["copies of a growing value into each other", doubling(998), /nested deeper|larger than/],
    [
      "copies next to each other",
      [
        { op: "add", path: "/x", value: "y".repeat(10_000) },
        ...Array.from({ length: 900 }, (_, index) => ({ op: "copy", from: "/x", path: `/x${index}` })),
      ],
      /larger than 1048576 bytes/,
    ],
    [
      "copies over the same place",
      [
        { op: "add", path: "/x", value: "y".repeat(500_000) },
        ...Array.from({ length: 900 }, () => ({ op: "copy", from: "/x", path: "/y" })),
      ],
      /too much work/,
    ],
    [
      "inserts at the front of a long array",
      [
        { op: "add", path: "/x", value: Array.from({ length: 200_000 }, () => 0) },
        ...Array.from({ length: 900 }, () => ({ op: "add", path: "/x/0", value: 0 })),
      ],
      /too much work/,
    ],
    [
      "moves to the end of a long array",
      [
        { op: "add", path: "/x", value: Array.from({ length: 200_000 }, () => 0) },
        ...Array.from({ length: 900 }, () => ({ op: "move", from: "/x/0", path: "/x/-" })),
      ],
      /too much work/,
    ],
  ] as [string, PatchOperation[], RegExp][])("is refused soon: %s", ([, operations, reason]) => {
    const before = cpuMs();
    expect(failure(() => apply({}, ...operations))).toMatch(reason);
    expect(standardMs(cpuMs() - before)).toBeLessThan(1000);
  });

  test("is refused when a value is deeper than the stack", () => {
    let deep: unknown = 0;
    for (let depth = 0; depth < 200_000; depth += 1) deep = [deep];
    expect(failure(() => apply({}, { op: "add", path: "/x", value: deep }))).toMatch(/deeper than 64/);
    expect(failure(() => apply({ x: 1 }, { op: "test", path: "/x", value: deep }))).toMatch(/deeper than 64/);
  });

  test.for([
    ["copy", "/x", "/x/-"],
    ["copy", "/x", "/x"],
    ["copy", "", "/y"],
    ["move", "/x", "/x/0"],
    ["move", "/x", "/x"],
    ["move", "/a~1b", "/a~1b/0"],
  ] as ["copy" | "move", string, string][])(
    "refuses to %s %s to %s: a value cannot be put into itself",
    ([op, from, path]) => {
      const record = { x: [1, 2], "a/b": [1] };
      const before = structuredClone(record);
      expect(failure(() => apply(record, { op, from, path }))).toMatch(/into itself/);
      expect(record).toEqual(before);
    },
  );

  test("changes a record that is larger than allowed already, but does not let it grow", () => {
    const record = { text: "x".repeat(2_000_000), flag: true };
    expect(apply(record, { op: "replace", path: "/flag", value: null })).toHaveProperty("flag", null);
    expect(failure(() => apply(record, { op: "add", path: "/more", value: "x".repeat(100) }))).toMatch(/larger than/);
  });

  test("does not share values with its operations", () => {
    const operation = { op: "add" as const, path: "/x", value: [1] };
    apply({}, operation, { op: "add", path: "/x/-", value: 2 });
    expect(operation.value).toEqual([1]);
  });
});
