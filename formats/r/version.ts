import { longestVersion } from "../package-file.ts";
import { withoutLeading } from "../trim-characters.ts";

/**
 * Versions of R packages ("Writing R Extensions", 1.1.1; `package_version` in R): numbers split at `.` and `-`,
 * which are equivalent; if one version is a prefix of the other, the shorter is older.
 */
const pattern = /^[0-9]+([.-][0-9]+)+$/;
const mostNumbers = 10;

export const isVersion = (version: string): boolean =>
  version.length <= longestVersion && pattern.test(version) && numbersOf(version).length <= mostNumbers;

/** Digits without leading zeros: numbers may exceed what JavaScript counts exactly. */
const numbersOf = (version: string): string[] =>
  version.split(/[.-]/).map((digits) => withoutLeading(digits, "0") || "0");

/** Equal for versions that R considers equal: `1.0-1` and `1.0.1`. */
export const versionKey = (version: string): string => numbersOf(version).join(".");

/** Sorts by code point in version order: each number is prefixed with its number of digits. */
export const versionOrder = (version: string): string =>
  numbersOf(version)
    .map((digits) => String(digits.length).padStart(3, "0") + digits)
    .join("");

/** As Python sorts a final release of the first epoch: versions of R packages have neither epochs nor pre-releases. */
export const aroundVersionOrder = { before: "0010", after: " 909" } as const;

export const compareVersions = (a: string, b: string): number => compareText(versionOrder(a), versionOrder(b));

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
