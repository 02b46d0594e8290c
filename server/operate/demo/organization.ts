import type { RoleName } from "@packhouse/contract/roles";
import type { Technology } from "@packhouse/contract/technology";

/** A fictional organization that grows, sorts and ships fruit, with people who write software for it. */

export interface DemoPerson {
  login: string;
  name: string;
  role: RoleName;
}

/** The first four are the sign-ins in the README. */
export const people: readonly DemoPerson[] = [
  { login: "admin", name: "Maren Castell", role: "admin" },
  { login: "repository-maintainer", name: "Tomasz Wilk", role: "repositorymaintainer" },
  { login: "package-maintainer", name: "Ines Harrow", role: "packagemaintainer" },
  { login: "user", name: "Jonas Feld", role: "user" },
  { login: "statistics-lead", name: "Amara Lindqvist", role: "repositorymaintainer" },
  { login: "data-engineer", name: "Pavel Orsini", role: "packagemaintainer" },
  { login: "geo-analyst", name: "Noor Vasquez", role: "packagemaintainer" },
  { login: "ci-uploader", name: "Build service", role: "user" },
  { login: "intern", name: "Lea Brandt", role: "user" },
];

export interface DemoRepository {
  name: string;
  technology: Technology;
  published: boolean;
  requiresAuthentication: boolean;
  /** Checks that uploads to it must have passed. */
  requiredChecks?: readonly string[];
  /** Maintainer of the whole repository. */
  maintainers: readonly string[];
}

export const repositories: readonly DemoRepository[] = [
  {
    name: "stats-release",
    technology: "R",
    published: true,
    requiresAuthentication: false,
    maintainers: ["repository-maintainer", "statistics-lead"],
  },
  {
    name: "clinical-validated",
    technology: "R",
    published: true,
    requiresAuthentication: true,
    requiredChecks: ["R CMD check"],
    maintainers: ["statistics-lead"],
  },
  {
    name: "geo-internal",
    technology: "R",
    published: true,
    requiresAuthentication: false,
    maintainers: ["repository-maintainer"],
  },
  {
    name: "ml-nightly",
    technology: "Python",
    published: true,
    requiresAuthentication: false,
    maintainers: ["repository-maintainer"],
  },
  {
    name: "ops-tools",
    technology: "Python",
    published: true,
    requiresAuthentication: false,
    maintainers: ["statistics-lead"],
  },
  { name: "sandbox", technology: "Python", published: false, requiresAuthentication: false, maintainers: [] },
];

export interface DemoPackage {
  repository: string;
  /** Uploader of its versions. */
  uploader: string;
  /** Its package maintainer, if it has one: accepts uploads of others, and needs nobody's approval for their own. */
  maintainer?: string;
}

export const packages: Readonly<Record<string, DemoPackage>> = {
  cropcurve: { repository: "stats-release", uploader: "package-maintainer", maintainer: "package-maintainer" },
  grainplot: { repository: "stats-release", uploader: "user" },
  "harvest.calendar": { repository: "stats-release", uploader: "intern", maintainer: "package-maintainer" },
  orchardstats: { repository: "geo-internal", uploader: "user" },
  seedbankr: { repository: "stats-release", uploader: "ci-uploader" },
  seedlotTrials: { repository: "stats-release", uploader: "user" },
  tidyloom: { repository: "stats-release", uploader: "user", maintainer: "package-maintainer" },
  tidetable: { repository: "stats-release", uploader: "ci-uploader" },
  gridwalk: { repository: "geo-internal", uploader: "geo-analyst", maintainer: "geo-analyst" },
  pollenmap: { repository: "geo-internal", uploader: "ci-uploader", maintainer: "geo-analyst" },
  dosecurve: { repository: "clinical-validated", uploader: "user" },
  trialweave: { repository: "stats-release", uploader: "ci-uploader" },
  gradeline: { repository: "ml-nightly", uploader: "user", maintainer: "data-engineer" },
  "hopper-io": { repository: "ml-nightly", uploader: "data-engineer", maintainer: "data-engineer" },
  "conveyor-tasks": { repository: "ops-tools", uploader: "data-engineer", maintainer: "data-engineer" },
  Bruise_Finder: { repository: "ml-nightly", uploader: "intern" },
  fruitsize: { repository: "ops-tools", uploader: "ci-uploader" },
  "trellis-config": { repository: "ops-tools", uploader: "ci-uploader" },
  "pyorchard-geospatial-raster-toolkit-extended": {
    repository: "ml-nightly",
    uploader: "geo-analyst",
    maintainer: "geo-analyst",
  },
  "pallet-sync": { repository: "ops-tools", uploader: "ci-uploader" },
  "picker-rota": { repository: "ops-tools", uploader: "user" },
  weighbridge: { repository: "ops-tools", uploader: "user" },
  "cold-chain": { repository: "ml-nightly", uploader: "intern" },
  "Orchard.Ledger": { repository: "ops-tools", uploader: "ci-uploader" },
};

export type Fate = "accepted" | "waiting" | "rejected" | "cancelled";

/** The state of a version, if it was not accepted. */
export const fates: Readonly<Record<string, Fate>> = {
  "orchardstats 0.45.0": "waiting",
  "grainplot 2.0.0": "waiting",
  "tidyloom 2.4.0": "waiting",
  "gradeline 1.0.0rc1": "waiting",
  "weighbridge 4.5.0": "waiting",
  "seedlotTrials 0.3.0": "cancelled",
  "pallet-sync 1.0.0rc2": "rejected",
  "cold-chain 2025.11": "rejected",
};

export const notes: Readonly<Record<string, string>> = {
  "tidyloom 2.4.0":
    "Replaces the hand-written recursion of `weave()`; results are the same on the trial data of last season.",
  "orchardstats 0.45.0": "First version with the tree-level variance estimator.",
  "gradeline 1.0.0rc1":
    "Release candidate for the grading lines in hall 2. Please look at the changed defaults of `Grader`.",
};

/** Why a version was accepted or rejected. */
export const reasons: Readonly<Record<string, string>> = {
  "dosecurve 2.2.0": "Validated by hand under protocol DC-4; checks are reported from the next version on.",
  "pallet-sync 1.0.0rc2":
    "`settle()` still writes the lot of *our* site when both sites agree on the mass. Please add a test with three weighings.",
  "cold-chain 2025.11": "The version is a date, so every later number would be older. Please use an epoch.",
};

/** Deactivated after it was published. */
export const deactivated: readonly string[] = ["seedbankr 0.6.2"];
