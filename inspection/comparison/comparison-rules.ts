import { isBreaking } from "@packhouse/contract/review/breaking";
import type { InterfaceChange } from "@packhouse/contract/review/comparison";
import type { Inspection, Signal } from "@packhouse/contract/review/inspection";
import type { Technology } from "@packhouse/contract/technology";
import { type Finding, signalOf } from "../signal.ts";
import { buildRequirementsRule, undeclaredDependencyRule } from "./build-requirements.ts";
import { type Compared, type ComparisonRule, saidIn } from "./comparison-rule.ts";
import { dependencyRules } from "./dependency-rules.ts";
import { numbersOf } from "./interface.ts";

const notice = { level: "notice" } as const;

/** The people whom a field names: without addresses, roles and identifiers. */
const personsOf = (value: string): string =>
  value
    .replace(/<[^<>]*>|\[[^[\]]*\]|\([^()]*\)/g, " ")
    .toLowerCase()
    .replace(/["'\s]+/g, " ")
    .trim();

/** What each of these fields was and is, where it names other people. */
function* otherPersons({ before, after }: Compared, fields: readonly string[]): Generator<Finding> {
  const all = (side: Inspection) => fields.map((field) => saidIn(side, field)).join(", ");
  const isSameContact = haveSameMails(all(before), all(after));
  for (const field of fields) {
    const [old, now] = [saidIn(before, field), saidIn(after, field)];
    if (personsOf(old) === personsOf(now) && mailsOf(old) === mailsOf(now)) continue;
    // A field that was empty before names no other person, and one person may use another address.
    const isOther =
      old !== "" &&
      now !== "" &&
      (personsOf(old) !== personsOf(now) || personsOf(now) === "") &&
      !isKnown(now, before) &&
      !(isSameContact && personsIn(now).length <= personsIn(old).length) &&
      !mostStay(old, now);
    yield {
      subject: field,
      excerpt: `${old || "–"} → ${now || "–"}`,
      ...(isOther ? {} : notice),
    };
  }
}

/** Whether the base named all of these persons already: one of its authors may maintain it now. */
function isKnown(value: string, { fields }: Inspection): boolean {
  const named = fields.filter(({ name }) => personFields.has(name)).flatMap((field) => personsIn(field.value));
  return personsIn(value).every((person) => named.includes(person));
}
/** Whether those who are named can be reached at the same addresses, whatever they call themselves. */
const haveSameMails = (old: string, now: string): boolean => mailsOf(now) !== "" && mailsOf(old) === mailsOf(now);

/** Whether more than half of those whom a field named are still there, under their addresses: a group changes. */
function mostStay(old: string, now: string): boolean {
  const mails = (value: string) => mailsOf(value).split(" ").filter(Boolean);
  return isMajority(personsIn(old), personsIn(now)) && isMajority(mails(old), mails(now));
}
const isMajority = (old: readonly string[], now: readonly string[]): boolean =>
  old.length === 0 || old.filter((one) => now.includes(one)).length * 2 > old.length;

const authors = ["Author", "Author-email"];
const maintainers = ["Maintainer", "Maintainer-email"];
const personFields = new Set([...authors, ...maintainers]);
const personsIn = (value: string): string[] =>
  personsOf(value)
    .split(/,|;|\band\b/)
    .map((person) => person.trim())
    .filter(Boolean);

const mailsOf = (value: string): string =>
  value
    .toLowerCase()
    .split(/[\s<>,;"']+/)
    .filter((word, place, all) => word.includes("@") && all.indexOf(word) === place)
    .sort()
    .join(" ");

/** Packages without a maintainer are maintained by their authors, as most of Python's. */
const namesMaintainer = ({ before, after }: Compared): boolean =>
  [before, after].some((side) => maintainers.some((field) => saidIn(side, field) !== ""));

const authorRule: ComparisonRule = {
  id: "author-changed",
  examine: (compared) => (namesMaintainer(compared) ? otherPersons(compared, authors) : []),
};

const maintainerRule: ComparisonRule = {
  id: "maintainer-changed",
  examine: (compared) => otherPersons(compared, namesMaintainer(compared) ? maintainers : authors),
};

const licenseFields = ["License", "License-Expression"];

const licenseRule: ComparisonRule = {
  id: "license-changed",
  *examine({ before, after, files }) {
    const isSameLicense = before.spdx !== null && before.spdx === after.spdx;
    // Between two licenses that are known, terms differ for certain; otherwise it may be the wording.
    const isOther = before.spdx !== null && after.spdx !== null && !isSameLicense;
    for (const field of licenseFields) {
      const [old, now] = [saidIn(before, field), saidIn(after, field)];
      if (old !== now && !isSameLicense)
        yield { subject: field, excerpt: `${old || "–"} → ${now || "–"}`, ...(isOther ? {} : notice) };
    }
    for (const { path, change } of files)
      if (change !== "renamed" && /(?:^|\/)(?:LICEN[CS]E|COPYING)[^/]*$/i.test(path))
        yield { subject: path, file: path, ...notice };
  },
};

/** Years and dates count as they like. */
const isCalendar = (number: number): boolean => number >= 1990 && number <= 2100;
/** Also as a short year with a month: `26.10.1`. */
const isByDate = ([year = 0, month = 0]: readonly number[]): boolean =>
  isCalendar(year) || (year >= 18 && year <= 50 && month >= 1 && month <= 12);

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
    if (compared.claim !== "patch" || compared.result !== "breaking") return;
    if (isByDate(numbersOf(before.version)) && isByDate(numbersOf(after.version))) return;
    const broken = compared.changes.filter(isBreaking);
    const certain = broken.filter((change) => isCertain(change, after));
    const names = (certain.length > 0 ? certain : broken).map((change) => (change.after ?? change.before)?.name ?? "");
    yield {
      subject: `${before.version} → ${after.version}`,
      excerpt: names.slice(0, 5).join(", "),
      ...(certain.length > 0 ? {} : notice),
    };
  },
};
/**
 * Whether users of the package call it by this name: what R exports, and what Python's top-level modules offer. Methods
 * are called by way of generic functions and base classes, which may serve the same calls; of modules below the top,
 * nobody knows which are for users.
 */
function isCertain({ before, after }: InterfaceChange, { technology }: Inspection): boolean {
  const entry = after ?? before;
  if (!entry || entry.kind === "s3-method" || entry.kind === "s4-method") return false;
  return entry.kind === "command" || isTopName[technology](entry.name);
}

const isTopName: Readonly<Record<Technology, (name: string) => boolean>> = {
  R: () => true,
  Python: (name) => name.split(".").length === 2,
};

/** All rules about two releases of a package. */
export const comparisonRules: readonly ComparisonRule[] = [
  authorRule,
  maintainerRule,
  licenseRule,
  versionJumpRule,
  breakingInPatchRule,
  buildRequirementsRule,
  undeclaredDependencyRule,
  ...dependencyRules,
];

export const comparedSignals = (compared: Compared): Signal[] =>
  comparisonRules.flatMap(({ id, examine }) =>
    [...examine(compared)].slice(0, 20).map((finding) => signalOf(id, finding)),
  );
