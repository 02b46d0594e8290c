import type { Comparison } from "@packhouse/contract/review/comparison";
import type { Inspection, Signal } from "@packhouse/contract/review/inspection";
import type { SignalId } from "@packhouse/contract/review/signals";
import { type Finding, signalOf } from "../signal.ts";
import { isBreaking, numbersOf } from "./interface.ts";

/** Two releases of a package, compared. */
interface Compared extends Pick<Comparison, "dependencies" | "files" | "interface"> {
  before: Inspection;
  after: Inspection;
}

/** One rule about two releases. */
interface ComparisonRule {
  id: SignalId;
  examine(compared: Compared): Iterable<Finding>;
}

const saidIn = ({ fields }: Inspection, name: string): string => fields.find((one) => one.name === name)?.value ?? "";

/** The people whom a field names: without addresses, roles and identifiers. */
const personsOf = (value: string): string =>
  value
    .replace(/<[^<>]*>|\[[^[\]]*\]|\([^()]*\)/g, " ")
    .toLowerCase()
    .replace(/["'\s]+/g, " ")
    .trim();

/** What each of these fields was and is, where it names other people. */
function* otherPersons({ before, after }: Compared, fields: readonly string[]): Generator<Finding> {
  for (const field of fields) {
    const [old, now] = [saidIn(before, field), saidIn(after, field)];
    if (personsOf(old) === personsOf(now) && mailsOf(old) === mailsOf(now)) continue;
    // A field that was empty before names no other person, and one person may use another address.
    const isOther = old !== "" && now !== "" && (personsOf(old) !== personsOf(now) || personsOf(now) === "");
    yield {
      subject: field,
      excerpt: `${old || "–"} → ${now || "–"}`,
      ...(isOther ? {} : { level: "notice" as const }),
    };
  }
}

const mailsOf = (value: string): string =>
  value
    .toLowerCase()
    .split(/[\s<>,;"']+/)
    .filter((word) => word.includes("@"))
    .sort()
    .join(" ");

const authorRule: ComparisonRule = {
  id: "author-changed",
  examine: (compared) => otherPersons(compared, ["Author", "Author-email"]),
};

const maintainerRule: ComparisonRule = {
  id: "maintainer-changed",
  examine: (compared) => otherPersons(compared, ["Maintainer", "Maintainer-email"]),
};

const licenseFields = ["License", "License-Expression"];

const licenseRule: ComparisonRule = {
  id: "license-changed",
  *examine({ before, after, files }) {
    const isSameLicense = before.spdx !== null && before.spdx === after.spdx;
    for (const field of licenseFields) {
      const [old, now] = [saidIn(before, field), saidIn(after, field)];
      if (old !== now && !isSameLicense) yield { subject: field, excerpt: `${old || "–"} → ${now || "–"}` };
    }
    for (const { path, change } of files)
      if (change !== "renamed" && /(?:^|\/)(?:LICEN[CS]E|COPYING)[^/]*$/i.test(path))
        yield { subject: path, file: path };
  },
};

/** Years and dates count as they like. */
const isCalendar = (number: number): boolean => number >= 1990 && number <= 2100;

const versionJumpRule: ComparisonRule = {
  id: "version-jump",
  *examine({ before, after }) {
    const [old, now] = [numbersOf(before.version), numbersOf(after.version)];
    const first = now.findIndex((number, index) => number !== (old[index] ?? 0));
    const [from, to] = [old[first] ?? 0, now[first] ?? 0];
    const most = first === 0 ? 1 : first === 1 ? 10 : 1_000;
    if (first >= 0 && to - from > most && !isCalendar(to) && first < 3)
      yield { subject: `${before.version} → ${after.version}` };
  },
};

const breakingInPatchRule: ComparisonRule = {
  id: "breaking-in-patch",
  *examine({ before, after, interface: compared }) {
    const isByDate = isCalendar(numbersOf(after.version)[0] ?? 0);
    if (compared.claim !== "patch" || compared.result !== "breaking" || isByDate) return;
    const names = compared.changes.filter(isBreaking).map((change) => (change.after ?? change.before)?.name ?? "");
    yield { subject: `${before.version} → ${after.version}`, excerpt: names.slice(0, 5).join(", ") };
  },
};

const buildRequirementsRule: ComparisonRule = {
  id: "py-build-requirements",
  *examine(compared) {
    if (![compared.before, compared.after].every(isSourceDistribution)) return;
    for (const { name, before, after } of compared.dependencies)
      if ((after ?? before)?.field === "build-system.requires")
        yield { subject: name, file: "pyproject.toml", excerpt: `${declared(before)} → ${declared(after)}` };
  },
};

/** A wheel does not say what built it. */
const isSourceDistribution = ({ files }: Inspection): boolean => files.some(({ path }) => path === "PKG-INFO");

const declared = (dependency: { name: string; constraint: string } | null): string =>
  dependency === null ? "–" : `${dependency.name} ${dependency.constraint}`.trim();

/** All rules about two releases of a package. */
export const comparisonRules: readonly ComparisonRule[] = [
  authorRule,
  maintainerRule,
  licenseRule,
  versionJumpRule,
  breakingInPatchRule,
  buildRequirementsRule,
];

export const comparedSignals = (compared: Compared): Signal[] =>
  comparisonRules.flatMap(({ id, examine }) =>
    [...examine(compared)].slice(0, 20).map((finding) => signalOf(id, finding)),
  );
