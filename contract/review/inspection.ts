import { z } from "zod";
import { technology } from "../technology.ts";
import { signalIds, signalLevels } from "./signals.ts";

/** What one archive consists of. It depends on the archive's bytes and the inspector's version alone. */

/** By content, not by name. */
export const fileKind = z.enum([
  "text",
  "r-data",
  "r-bytecode",
  "python-bytecode",
  "elf",
  "pe",
  "mach-o",
  "archive",
  "image",
  "pdf",
  "empty",
  "other",
]);
export type FileKind = z.infer<typeof fileKind>;

export const inspectedFile = z.object({
  /** Below the archive's top-level folder; of a wheel the whole path. */
  path: z.string(),
  size: z.int(),
  /** Permission bits; null where the archive has none. */
  mode: z.int().nullable(),
  sha256: z.string(),
  kind: fileKind,
  /** Of a text: `utf-8`, `latin1` …; null for everything else. */
  encoding: z.string().nullable(),
  /** Of a text. */
  lines: z.int().nullable(),
  /** Written by a tool: `man/*.Rd`, `RECORD`, `PKG-INFO`, `MD5`, `build/`. The desk collapses such files. */
  generated: z.boolean(),
});
export type InspectedFile = z.infer<typeof inspectedFile>;

/** One observation. */
export const signal = z.object({
  id: z.enum(signalIds),
  level: z.enum(signalLevels),
  /** What was found: the function called, the host, the variable, the field. Empty where the rule alone is enough. */
  subject: z.string(),
  file: z.string().nullable(),
  line: z.int().nullable(),
  /** The beginning of the line, or what the reviewer should see. */
  excerpt: z.string().nullable(),
});
export type Signal = z.infer<typeof signal>;

export const parameter = z.object({
  name: z.string(),
  /** As written; null without one. */
  default: z.string().nullable(),
  annotation: z.string().nullable(),
  kind: z.enum(["positional-only", "any", "keyword-only", "rest", "keywords"]),
});
export type Parameter = z.infer<typeof parameter>;

/** One thing that users of the package can call or use. */
export const interfaceEntry = z.object({
  /** R: `fit_lots`, `print.cropcurves`. Python: with its module and class, `orchard.rows.Row.width`. */
  name: z.string(),
  kind: z.enum([
    "function",
    "class",
    "method",
    "constant",
    "module",
    "object",
    "s3-method",
    "s4-method",
    "s4-class",
    "command",
    "entry-point",
  ]),
  /** Null for what is not called, and where they are unknown. */
  parameters: z.array(parameter).nullable(),
  file: z.string().nullable(),
  line: z.int().nullable(),
});
export type InterfaceEntry = z.infer<typeof interfaceEntry>;

export const declaredDependency = z.object({
  /** R: the field, `Imports`. Python: `Requires-Dist`, `build-system.requires`. */
  field: z.string(),
  name: z.string(),
  /** As declared: `>= 1.2, < 2`. */
  constraint: z.string(),
  /** Python: the marker, with its extra. */
  condition: z.string(),
});
export type DeclaredDependency = z.infer<typeof declaredDependency>;

export const metadataField = z.object({ name: z.string(), value: z.string() });
export type MetadataField = z.infer<typeof metadataField>;

/** What the people who approve packages ask about; computed without running anything. */
export const indicatorIds = [
  "documented",
  "vignettes",
  "examples",
  "tests",
  "news-entry",
  "bug-tracker",
  "source-repository",
  "license-recognized",
  "maintainer-reachable",
  "direct-dependencies",
  "lines-of-code",
  "compiled-code",
  "typed",
  "supported-versions",
] as const;
export type IndicatorId = (typeof indicatorIds)[number];

export const indicator = z.object({
  id: z.enum(indicatorIds),
  /** `yes`, `no`, a number, `12 of 14`, `R: 812, C: 90`; null if unknown. */
  value: z.string().nullable(),
  /** The file that it was read from, if it is one. */
  source: z.string().nullable(),
});
export type Indicator = z.infer<typeof indicator>;

/** What was not examined, and why. */
export const incompleteness = z.object({
  reason: z.enum(["time", "memory", "files", "size", "signals", "unreadable"]),
  /** Paths of files or folders, at most 20. */
  paths: z.array(z.string()),
});

export const inspection = z.object({
  /** The number of the inspector's rules; what another number made is made again. */
  inspector: z.int(),
  technology,
  name: z.string(),
  version: z.string(),
  files: z.array(inspectedFile),
  fields: z.array(metadataField),
  /** An SPDX expression, where the license can be read as one. */
  spdx: z.string().nullable(),
  dependencies: z.array(declaredDependency),
  interface: z.array(interfaceEntry),
  signals: z.array(signal),
  indicators: z.array(indicator),
  /** Empty when everything was examined. */
  incomplete: z.array(incompleteness),
});
export type Inspection = z.infer<typeof inspection>;
