import type { Comparison, FileDiff } from "@packhouse/contract/review/comparison";
import type { Impact } from "@packhouse/contract/review/impact";
import type { Signal } from "@packhouse/contract/review/inspection";
import type { ReleaseItem } from "@packhouse/contract/review/release";
import type { Review } from "@packhouse/contract/review/review";

/** A desk with releases that the demo does not have: breaking changes, signals of every level, a very large file. */

export const person = (id: number, name: string) => ({ id, name, login: name, email: "" });
export const lead = person(901, "statistics-lead");
export const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
const postable = ["decision", "comments", "checks", "assignment", "assessment"].map(
  (rel) => ({ rel, href: "", type: "POST" }) as const,
);

export const release = (id: number, name: string, given: Partial<ReleaseItem> = {}): ReleaseItem => ({
  id,
  technology: "R",
  name,
  version: "1.0.0",
  repository: { id: 1, name: "stats-release" },
  submitter: person(902, "ci-uploader"),
  created: hoursAgo(id - 800),
  changes: "",
  files: [
    {
      submissionId: id,
      packageId: id + 1000,
      fileName: `${name}_1.0.0.tar.gz`,
      kind: "source",
      size: 96_000,
      sha256: String(id).padStart(64, "0"),
      level: "clear",
      replaced: false,
    },
  ],
  base: { packageId: 5, version: "0.9.0", repository: "stats-release" },
  level: "clear",
  signals: { info: 0, notice: 0, warning: 0, danger: 0 },
  incomplete: false,
  linesAdded: 38,
  linesRemoved: 2,
  changesAsked: false,
  assignee: null,
  looking: [],
  opened: false,
  checks: { passed: 0, failed: 0, running: 0 },
  comments: 0,
  shortened: [],
  links: postable,
  ...given,
});

export const releases = (): ReleaseItem[] => [
  release(801, "Bruise_Finder", {
    technology: "Python",
    version: "1.2.0",
    repository: { id: 2, name: "ml-nightly" },
    level: "danger",
    signals: { info: 0, notice: 0, warning: 0, danger: 1 },
  }),
  release(802, "cropcurve", {
    version: "1.11.0",
    level: "warning",
    signals: { info: 1, notice: 2, warning: 2, danger: 0 },
    base: { packageId: 5, version: "1.10.4", repository: "stats-release" },
    changes: "Adds intervals for the final size and fits curves on several cores.",
    linesAdded: 108,
    linesRemoved: 40,
    looking: [lead],
    opened: true,
  }),
  release(803, "pyorchard-geospatial-raster-toolkit-extended", {
    technology: "Python",
    version: "2026.11.0",
    repository: { id: 2, name: "ml-nightly" },
    level: "warning",
    incomplete: true,
    signals: { info: 0, notice: 0, warning: 1, danger: 0 },
    linesAdded: 2614,
    linesRemoved: 1170,
  }),
  release(804, "hailmap", { version: "0.1.0", base: null, linesAdded: 316, linesRemoved: 0 }),
];

/** Opened by their address alone, so that the queue stays as short as it is. */
export const unlisted = (): ReleaseItem[] => [
  release(805, "sproutlab", { level: null, linesAdded: null, linesRemoved: null }),
  release(806, "cropcurve", { version: "1.12.0" }),
  release(807, "tidegate", {
    level: "warning",
    checks: { passed: 1, failed: 1, running: 0 },
    assignee: lead,
    changesAsked: true,
  }),
];

const signal = (level: Signal["level"], id: Signal["id"], given: Partial<Signal> = {}): Signal => ({
  id,
  level,
  subject: "",
  file: null,
  line: null,
  excerpt: null,
  ...given,
});

const file = (path: string, given: Partial<Comparison["files"][number]> = {}): Comparison["files"][number] => ({
  path,
  previousPath: null,
  change: "changed",
  kind: "text",
  sizeBefore: 800,
  sizeAfter: 900,
  sha256: path.padEnd(64, "0").slice(0, 64),
  generated: false,
  added: 3,
  removed: 2,
  ...given,
});

const parameter = (name: string, value: string | null = null) =>
  ({ name, default: value, annotation: null, kind: "any" }) as const;
const fitLots = (...names: string[]) => ({
  name: "fit_lots",
  kind: "function" as const,
  parameters: [...names.map((name) => parameter(name)), ...(names[1] === "lot" ? [parameter("workers", "NULL")] : [])],
  file: "R/lots.R",
  line: 1,
});

export const comparison: Comparison = {
  inspector: 1,
  files: [
    file("R/fit.R"),
    file("R/workers.R", { change: "added", sizeBefore: null, added: 4, removed: 0 }),
    file("R/starting-values.R", { change: "removed", sizeAfter: null, sha256: null, added: 0, removed: 2 }),
    file("man/fit_lots.Rd", { generated: true, added: 9, removed: 4 }),
    file("inst/extdata/plots.geojson", { sizeAfter: 5_200_000, added: null, removed: null }),
    file("DESCRIPTION", { added: 6, removed: 4 }),
    file("NEWS.md", { added: 3, removed: 0 }),
  ],
  added: 108,
  removed: 40,
  fields: [
    { name: "License", before: "GPL-3", after: "GPL (>= 3)" },
    { name: "Depends", before: "R (>= 4.0)", after: "R (>= 4.1)" },
  ],
  dependencies: [
    {
      name: "parallel",
      change: "added",
      before: null,
      after: { field: "Imports", name: "parallel", constraint: "", condition: "" },
    },
  ],
  interface: {
    changes: [
      {
        change: "changed",
        before: fitLots("table", "day", "value", "lot"),
        after: fitLots("table", "lot", "day", "value"),
        breaks: [{ why: "parameters-reordered", parameter: "lot" }],
      },
      {
        change: "added",
        before: null,
        after: { ...fitLots("curves"), name: "size_intervals" },
        breaks: [],
      },
    ],
    unchanged: 3,
    result: "breaking",
    claim: "minor",
  },
  signals: {
    fresh: [
      signal("notice", "license-changed", { subject: "GPL-3 to GPL (>= 3)", file: "DESCRIPTION", line: 25 }),
      signal("warning", "r-on-load", {
        subject: ".onLoad",
        file: "R/workers.R",
        line: 1,
        excerpt: ".onLoad <- function(libname, pkgname) {",
      }),
      signal("warning", "process", { subject: "system2", file: "R/workers.R", line: 3 }),
      signal("notice", "environment", { subject: "CROPCURVE_WORKERS", file: "R/workers.R", line: 2 }),
      signal("info", "first-submission", { subject: "ci-uploader" }),
    ],
    gone: [],
    unchanged: [signal("notice", "home-folder", { file: "R/fit.R", line: 40 })],
  },
  indicators: [
    { id: "documented", value: "14 of 14", before: "12 of 12", source: "NAMESPACE" },
    { id: "tests", value: "9", before: "7", source: null },
    { id: "news-entry", value: "yes", before: "yes", source: "NEWS.md" },
    { id: "bug-tracker", value: null, before: null, source: null },
  ],
};

export const impact: Impact = {
  installs: [
    { languageVersions: "R 4.0", before: "1.10.4", after: null },
    { languageVersions: "R 4.1 to 4.6", before: "1.10.4", after: "1.11.0" },
  ],
  dependents: [
    {
      packageId: 31,
      name: "harvest.calendar",
      version: "3.2.0",
      repository: "stats-release",
      technology: "R",
      field: "Imports",
      constraint: "< 1.11",
      before: "satisfied",
      after: "unsatisfied",
    },
    {
      packageId: 32,
      name: "dosecurve",
      version: "2.2.0",
      repository: "clinical-validated",
      technology: "R",
      field: "Imports",
      constraint: ">= 1.9.0",
      before: "satisfied",
      after: "satisfied",
    },
  ],
  dependentsTotal: 2,
  wouldBreak: 1,
  needs: [
    { field: "Imports", name: "parallel", constraint: "", condition: "", found: "builtIn", version: null },
    { field: "Imports", name: "tidyloom", constraint: ">= 2.0", condition: "", found: "missing", version: null },
  ],
  needsInTotal: 5,
  archived: "1.10.4",
};

const part = (text: string, changed = false) => ({ text, changed });

/** Two stretches around a changed line; an added file is as long as `longFileLines`. */
export const longFileLines = 5000;
export function diffOf(path: string): FileDiff {
  const shared = { path, previousPath: null, state: "compared" } as const;
  if (path === "R/workers.R") {
    const first = [".onLoad <- function(libname, pkgname) {", 'set <- Sys.getenv("CROPCURVE_WORKERS", unset = NA)'];
    const lines = Array.from({ length: longFileLines }, (_, index) => ({
      kind: "added" as const,
      before: null,
      after: index + 1,
      parts: [part(first[index] ?? `call_${index}(TRUE, "text", ${index}) # line`)],
    }));
    return { ...shared, hunks: [{ lines }], linesBefore: 0, linesAfter: longFileLines };
  }
  return {
    ...shared,
    hunks: [
      {
        lines: [
          { kind: "same", before: 10, after: 10, parts: [part("# Fits one curve to each group.")] },
          {
            kind: "removed",
            before: 11,
            after: null,
            parts: [part("fits <- "), part("lapply(parts", true), part(")")],
          },
          {
            kind: "added",
            before: null,
            after: 11,
            parts: [part("fits <- "), part("over_parts(parts", true), part(")")],
          },
          { kind: "same", before: 12, after: 12, parts: [part("if (is.null(fits)) return(NULL)")] },
        ],
      },
    ],
    linesBefore: 40,
    linesAfter: 40,
  };
}

/** Its archive is still being inspected. */
export const uninspected = 805;
/** It has been rejected. */
export const rejected = 806;

export const submissionOf = (id: number) => ({
  id,
  packageBag: {
    id: id + 1000,
    user: lead,
    repository: {
      id: 1,
      name: "stats-release",
      publicationUri: "https://packages.example.org/repo/stats-release",
      published: true,
      requiresAuthentication: true,
      technology: "R",
      lastPublicationSuccessful: true,
    },
    submission: { id, state: "WAITING" },
    name: "cropcurve",
    version: "1.11.0",
    source: "",
    active: false,
    deleted: false,
    technology: "R",
    binary: false,
    description: null,
    author: null,
    title: null,
    url: null,
    descriptionContentType: "text/plain",
    fileName: "cropcurve_1.11.0.tar.gz",
    size: 96_000,
    links: [],
    shortened: [],
  },
  submitter: lead,
  approver: null,
  changes: null,
  state: "WAITING",
  created: hoursAgo(2),
  technology: "R",
  reason: null,
  replaces: null,
  deleted: false,
  links: [],
  shortened: [],
});

export const checks: Review["checks"] = {
  checks: [
    {
      id: 1,
      submissionId: 802,
      name: "R CMD check",
      state: "failed",
      summary: "1 error, 2 notes",
      link: "https://ci.example.org/17",
      annotations: [{ file: "R/fit.R", line: 11, level: "failure", message: "no visible binding for `parts`" }],
      user: lead,
      time: hoursAgo(1),
      required: true,
      history: [],
    },
    {
      id: 2,
      submissionId: 802,
      name: "covr",
      state: "passed",
      summary: "",
      link: null,
      annotations: [],
      user: lead,
      time: hoursAgo(1),
      required: false,
      history: [],
    },
  ],
  required: ["R CMD check", "licenses"],
  missing: ["R CMD check", "licenses"],
};
