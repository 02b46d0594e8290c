import { z } from "zod";
import { declaredDependency, fileKind, indicator, interfaceEntry, signal } from "./inspection.ts";

/** One archive against another; without a base everything counts as added. */

export const fileChange = z.object({
  path: z.string(),
  /** Of a renamed file: where it was. */
  previousPath: z.string().nullable(),
  change: z.enum(["added", "removed", "changed", "renamed"]),
  kind: fileKind,
  sizeBefore: z.int().nullable(),
  sizeAfter: z.int().nullable(),
  /** Null where the file is removed; a mark on the file is about these bytes. */
  sha256: z.string().nullable(),
  generated: z.boolean(),
  /** Lines; null for a file that is not text, or is too long to compare. */
  added: z.int().nullable(),
  removed: z.int().nullable(),
});
export type FileChange = z.infer<typeof fileChange>;

export const fieldChange = z.object({
  name: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
});
export type FieldChange = z.infer<typeof fieldChange>;

export const dependencyChange = z.object({
  name: z.string(),
  change: z.enum(["added", "removed", "tightened", "loosened", "changed", "moved"]),
  before: declaredDependency.nullable(),
  after: declaredDependency.nullable(),
});
export type DependencyChange = z.infer<typeof dependencyChange>;

/** Why calls of a changed function no longer work, or do something else. */
export const breakage = z.enum([
  "removed",
  "parameter-removed",
  "parameter-renamed",
  "parameters-reordered",
  "parameter-required",
  "default-changed",
  "kind-changed",
]);
export type Breakage = z.infer<typeof breakage>;

export const interfaceChange = z.object({
  change: z.enum(["added", "removed", "changed"]),
  before: interfaceEntry.nullable(),
  after: interfaceEntry.nullable(),
  /** Empty if calls written for the base do the same as before; `breaking.ts` decides whether they still work. */
  breaks: z.array(z.object({ why: breakage, parameter: z.string().nullable() })),
});
export type InterfaceChange = z.infer<typeof interfaceChange>;

export const comparison = z.object({
  inspector: z.int(),
  files: z.array(fileChange),
  /** Sums over the files that are not generated. */
  added: z.int(),
  removed: z.int(),
  fields: z.array(fieldChange),
  dependencies: z.array(dependencyChange),
  interface: z.object({
    changes: z.array(interfaceChange),
    unchanged: z.int(),
    /** `new` without a base, `unknown` when the interface of one side is unknown. */
    result: z.enum(["compatible", "features", "breaking", "new", "unknown"]),
    /** What the version numbers claim. */
    claim: z.enum(["patch", "minor", "major", "same", "lower", "new"]),
  }),
  signals: z.object({
    /** New against the base; these count. */
    fresh: z.array(signal),
    gone: z.array(signal),
    /** Were there before and were accepted. */
    unchanged: z.array(signal),
  }),
  indicators: z.array(indicator.extend({ before: z.string().nullable() })),
});
export type Comparison = z.infer<typeof comparison>;

/** Part of a line; `changed` where the two sides differ within it. */
export const linePart = z.object({ text: z.string(), changed: z.boolean() });

export const diffLine = z.object({
  kind: z.enum(["same", "added", "removed"]),
  /** From 1; null on the side where the line is not. */
  before: z.int().nullable(),
  after: z.int().nullable(),
  parts: z.array(linePart),
});
export type DiffLine = z.infer<typeof diffLine>;

/** The difference of one text file. */
export const fileDiff = z.object({
  path: z.string(),
  previousPath: z.string().nullable(),
  /** `large`: too long to be compared here. `binary`: not text. */
  state: z.enum(["compared", "large", "binary"]),
  /** Stretches of changed lines with a few equal ones around them. */
  hunks: z.array(z.object({ lines: z.array(diffLine) })),
  linesBefore: z.int(),
  linesAfter: z.int(),
});
export type FileDiff = z.infer<typeof fileDiff>;
