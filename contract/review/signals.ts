import type { Technology } from "../technology.ts";

/** How much a reviewer should care, from least to most. */
export const signalLevels = ["info", "notice", "warning", "danger"] as const;
export type SignalLevel = (typeof signalLevels)[number];

/** What a signal is about; the desk groups signals by it. */
export const signalCategories = [
  "installation",
  "loading",
  "reach",
  "hiding",
  "impersonation",
  "leak",
  "provenance",
  "completeness",
] as const;
export type SignalCategory = (typeof signalCategories)[number];

export interface SignalRule {
  category: SignalCategory;
  /** The level of what is new against the base. */
  level: SignalLevel;
  /** The technology whose packages are examined; both if missing. */
  technology?: Technology;
  /**
   * What it examines: the bytes of one archive, two archives of a package, or what the records know about the release.
   */
  examines: "archive" | "comparison" | "records";
  /**
   * Keeps its level in a package without a base, where all other signals count as notices at most: hidden code,
   * secrets, files outside the package's own names.
   */
  dangerousAlone?: true;
}

/** Everything that the inspection can notice. The inspection, the desk's texts and `docs/review.md` follow this table. */
export const signalRules = {
  "r-configure": { category: "installation", level: "warning", technology: "R", examines: "archive" },
  "r-cleanup": { category: "installation", level: "warning", technology: "R", examines: "archive" },
  "r-makevars-shell": { category: "installation", level: "warning", technology: "R", examines: "archive" },
  "r-install-libs": { category: "installation", level: "warning", technology: "R", examines: "archive" },
  "r-help-code": { category: "installation", level: "warning", technology: "R", examines: "archive" },
  "build-script": { category: "installation", level: "warning", examines: "archive" },
  "py-setup-code": { category: "installation", level: "warning", technology: "Python", examines: "archive" },
  "py-in-tree-backend": { category: "installation", level: "warning", technology: "Python", examines: "archive" },
  "py-build-requirements": { category: "installation", level: "warning", technology: "Python", examines: "comparison" },
  "py-pth-file": {
    category: "installation",
    level: "danger",
    technology: "Python",
    examines: "archive",
    dangerousAlone: true,
  },
  "py-site-customize": {
    category: "installation",
    level: "danger",
    technology: "Python",
    examines: "archive",
    dangerousAlone: true,
  },
  "py-outside-own-names": {
    category: "installation",
    level: "warning",
    technology: "Python",
    examines: "archive",
    dangerousAlone: true,
  },
  "py-data-scripts": { category: "installation", level: "notice", technology: "Python", examines: "archive" },

  "r-on-load": { category: "loading", level: "warning", technology: "R", examines: "archive" },
  "r-top-level-call": { category: "loading", level: "notice", technology: "R", examines: "archive" },
  "import-hook": { category: "loading", level: "warning", technology: "Python", examines: "archive" },
  "native-constructor": { category: "loading", level: "warning", examines: "archive" },
  "py-import-time-call": { category: "loading", level: "warning", technology: "Python", examines: "archive" },

  process: { category: "reach", level: "warning", examines: "archive" },
  network: { category: "reach", level: "warning", examines: "archive" },
  "secret-environment": { category: "reach", level: "warning", examines: "archive" },
  environment: { category: "reach", level: "notice", examines: "archive" },
  "home-folder": { category: "reach", level: "notice", examines: "archive" },
  clipboard: { category: "reach", level: "warning", examines: "archive" },
  keyring: { category: "reach", level: "warning", examines: "archive" },
  host: { category: "reach", level: "notice", examines: "archive" },

  "decoded-code": { category: "hiding", level: "danger", examines: "archive", dangerousAlone: true },
  "code-from-file": { category: "hiding", level: "warning", technology: "Python", examines: "archive" },
  "encoded-text": { category: "hiding", level: "warning", examines: "archive" },
  "high-entropy": { category: "hiding", level: "warning", examines: "archive" },
  "long-line": { category: "hiding", level: "notice", examines: "archive" },
  "invisible-characters": { category: "hiding", level: "danger", examines: "archive", dangerousAlone: true },
  "mixed-scripts": { category: "hiding", level: "warning", examines: "archive", dangerousAlone: true },
  "bytecode-without-source": { category: "hiding", level: "danger", examines: "archive", dangerousAlone: true },
  "linked-code": { category: "hiding", level: "danger", examines: "archive", dangerousAlone: true },
  "content-differs-from-name": { category: "hiding", level: "warning", examines: "archive", dangerousAlone: true },
  "r-data-with-code": {
    category: "hiding",
    level: "danger",
    technology: "R",
    examines: "archive",
    dangerousAlone: true,
  },
  "pickle-with-code": { category: "hiding", level: "danger", examines: "archive", dangerousAlone: true },
  "new-executable": { category: "hiding", level: "warning", examines: "archive" },

  "similar-name": { category: "impersonation", level: "warning", examines: "records", dangerousAlone: true },
  "similar-dependency": { category: "impersonation", level: "warning", examines: "comparison" },
  "others-module": {
    category: "impersonation",
    level: "warning",
    technology: "Python",
    examines: "archive",
    dangerousAlone: true,
  },
  "well-known-command": {
    category: "impersonation",
    level: "warning",
    technology: "Python",
    examines: "archive",
    dangerousAlone: true,
  },
  "wheel-differs-from-sdist": {
    category: "impersonation",
    level: "danger",
    technology: "Python",
    examines: "records",
    dangerousAlone: true,
  },

  "private-key": { category: "leak", level: "danger", examines: "archive", dangerousAlone: true },
  token: { category: "leak", level: "danger", examines: "archive", dangerousAlone: true },
  "environment-file": { category: "leak", level: "warning", examines: "archive", dangerousAlone: true },
  "left-over-file": { category: "leak", level: "info", examines: "archive" },
  "builder-path": { category: "leak", level: "info", examines: "archive" },

  "author-changed": { category: "provenance", level: "notice", examines: "comparison" },
  "maintainer-changed": { category: "provenance", level: "warning", examines: "comparison" },
  "first-submission": { category: "provenance", level: "info", examines: "records" },
  "version-lower": { category: "provenance", level: "warning", examines: "records" },
  "undeclared-dependency": {
    category: "provenance",
    level: "warning",
    technology: "Python",
    examines: "comparison",
  },
  "other-source": { category: "provenance", level: "warning", examines: "comparison" },
  "version-jump": { category: "provenance", level: "notice", examines: "comparison" },
  "version-returns": { category: "provenance", level: "danger", examines: "records", dangerousAlone: true },
  "license-changed": { category: "provenance", level: "warning", examines: "comparison" },
  "future-date": { category: "provenance", level: "notice", examines: "archive" },
  "breaking-in-patch": { category: "provenance", level: "warning", examines: "comparison" },

  unparsed: { category: "completeness", level: "notice", examines: "archive" },
  incomplete: { category: "completeness", level: "warning", examines: "archive", dangerousAlone: true },
} as const satisfies Record<string, SignalRule>;

export type SignalId = keyof typeof signalRules;
export const signalIds = Object.keys(signalRules) as [SignalId, ...SignalId[]]; // the keys of a constant
