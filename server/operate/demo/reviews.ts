import type { CheckReport } from "@packhouse/contract/review/checks";
import type { RiskCategory } from "@packhouse/contract/review/conversation";

/** What is to be decided in the organization, and how its people have responded so far. */

export interface DemoRelease {
  uploader: string;
  /** Of a package that the organization has not had before. */
  repository?: string;
  notes: string;
}

/** By name and version, of what is in `fixtures/releases/`. */
export const waitingReleases: Readonly<Record<string, DemoRelease>> = {
  "tidetable 1.1.0": {
    uploader: "ci-uploader",
    notes: "`mark_gaps()` for the sensor team, and `fill_gaps()` can leave long gaps open. Old calls work as before.",
  },
  "seedbankr 0.7.1": { uploader: "intern", notes: "Lot numbers can be pasted with spaces around them." },
  "pollenmap 3.8.0": {
    uploader: "user",
    notes: "Takes the wind into account. Compared with the counts of 2025 in the survey team's notebook.",
  },
  "trellis-config 0.18.1": { uploader: "ci-uploader", notes: "Faster start on Windows." },
  "frostwatch 0.1.0": {
    uploader: "user",
    repository: "stats-release",
    notes: "The frost script of the survey team as a package, so that all sites use the same one in spring.",
  },
  "picker-rota 2.1.0": { uploader: "user", notes: "Places can be closed. The week starts on Monday again." },
  "fruitsize 1.5.0": {
    uploader: "ci-uploader",
    notes: "Whole crates in compiled code, four times as fast. The wheel is for the machines at the grading lines.",
  },
  "harvest.calendar 1.0-11": { uploader: "intern", notes: "Heat above a ceiling ripens nothing." },
  "cold-chain 1!1.1.0": { uploader: "intern", notes: "`longest_above()` for the insurers." },
  "dosecurve 2.3.0": { uploader: "user", notes: "A table of doses for the rinsing protocol." },
  "gridwalk 0.3.2": { uploader: "user", notes: "Clear errors for numbers of rows that are not whole." },
  "Orchard.Ledger 0.3.1": {
    uploader: "ci-uploader",
    notes: "Lots that nobody picked are no longer listed as lost; not tested with pallet-sync 2.",
  },
};

export interface DemoStep {
  /** Name and version. */
  about: string;
  at: string;
  by: string;
  /** On the release, or on a line of a file in it. */
  comment?: { text: string; path?: string; line?: number };
  /** Asks for changes, with this reason. */
  changes?: string;
  check?: CheckReport;
  assessment?: { category: RiskCategory; comment: string };
  /** Whom it is assigned to. */
  assignee?: string;
}

const check = (about: string, by: string, at: string, report: CheckReport): DemoStep => ({
  about,
  at,
  by,
  check: report,
});
const ci = (run: number) => `https://ci.larkmere.example/runs/${run}`;

/** Oldest first, each after the upload that it is about, which is an hour after its release. What is about a release that was uploaded again happened before its second upload. */
export const steps: readonly DemoStep[] = [
  {
    about: "tidyloom 2.4.0",
    at: "2026-11-10T09:15:00Z",
    by: "admin",
    assignee: "statistics-lead",
  },
  {
    about: "tidyloom 2.4.0",
    at: "2026-11-11T14:02:10Z",
    by: "statistics-lead",
    comment: {
      text: "I compared both versions on the trial data of 2025: same tables, a third of the time.\n\nOne thing before I accept: is `weave_deep()` meant for *users*, or for your own report only? Once it is exported, we have to keep it.",
    },
  },
  {
    about: "tidyloom 2.4.0",
    at: "2026-11-12T07:48:33Z",
    by: "user",
    comment: { text: "For users: the grafting trials need it, see the example on its help page." },
  },
  {
    about: "tidyloom 2.4.0",
    at: "2026-11-12T08:20:00Z",
    by: "statistics-lead",
    assessment: {
      category: "medium",
      comment: "New recursive code in a package that many reports use; covered by tests, no compiled code.",
    },
  },
  check("gradeline 1.0.0rc1", "user", "2026-11-19T17:20:00Z", { name: "pytest", state: "running" }),
  check("gradeline 1.0.0rc1", "user", "2026-11-19T17:24:41Z", {
    name: "pytest",
    state: "passed",
    summary: "**14 passed** in 3.2 s on Python 3.9, 3.11 and 3.13.",
    link: ci(4821),
  }),
  check("gradeline 1.0.0rc1", "user", "2026-11-19T17:25:12Z", {
    name: "mypy --strict",
    state: "failed",
    summary: "2 errors in 1 file (4 files checked).",
    link: ci(4822),
    annotations: [
      {
        file: "gradeline/drift.py",
        line: 18,
        level: "warning",
        message: 'Returning Any from a function that is declared to return "bool"',
      },
      {
        file: "gradeline/drift.py",
        line: 26,
        level: "failure",
        message: 'Unsupported operand types for - ("float" and "None")',
      },
    ],
  }),
  check("tidetable 1.1.0", "ci-uploader", "2026-11-20T09:22:18Z", {
    name: "R CMD check",
    state: "passed",
    summary: "0 errors, 0 warnings, 0 notes on R 4.2, 4.4 and 4.5.",
    link: ci(4825),
  }),
  {
    about: "seedbankr 0.7.1",
    at: "2026-11-20T16:30:00Z",
    by: "statistics-lead",
    comment: {
      path: "R/lots.R",
      line: 17,
      text: 'This turns the first two arguments around. Scripts that call `new_lot("pear", 2026, 417)` fail, and so does the label printer. Why not keep the old order?',
    },
  },
  {
    about: "harvest.calendar 1.0-11",
    at: "2026-11-22T07:40:00Z",
    by: "package-maintainer",
    comment: {
      path: "R/degree-days.R",
      line: 1,
      text: "`ceiling` in front of `base` breaks calls like `degree_days(low, high, 7)`. Please put it last, and without a ceiling by default: the sums of the varieties were taken without one.",
    },
  },
  {
    about: "harvest.calendar 1.0-11",
    at: "2026-11-22T07:44:21Z",
    by: "package-maintainer",
    changes: "Please keep old calls and old results as they are, and add a test for the ceiling.",
  },
  {
    about: "cold-chain 1!1.1.0",
    at: "2026-11-22T08:05:50Z",
    by: "repository-maintainer",
    changes:
      "The function is fine. Please add\n\n- a test with a reading exactly at the limit,\n- an entry in the README that says what counts as a break.",
  },
  check("dosecurve 2.3.0", "user", "2026-11-22T08:10:13Z", {
    name: "R CMD check",
    state: "failed",
    summary: "1 error, 0 warnings, 1 note\n\n```\nRunning ‘doses.R’\nError: doses$dose[1] is not near 4.4\n```",
    link: ci(4836),
    annotations: [
      { file: "tests/doses.R", line: 6, level: "failure", message: "abs(doses$dose[1] - 4.4) < 0.3 is not TRUE" },
    ],
  }),
  check("dosecurve 2.3.0", "user", "2026-11-22T08:12:40Z", {
    name: "coverage",
    state: "neutral",
    summary: "92 % of the lines, 3 less than before.",
    link: ci(4837),
  }),
  check("gridwalk 0.3.2", "user", "2026-11-22T08:31:09Z", {
    name: "R CMD check",
    state: "passed",
    summary: "0 errors, 0 warnings, 0 notes on R 4.2, 4.4 and 4.5.",
    link: ci(4839),
  }),
];
