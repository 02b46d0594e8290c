import { longestVersion } from "../package-file.ts";
import { withoutLeading } from "../trim-characters.ts";

/**
 * Versions of R packages ("Writing R Extensions", 1.1.1; `package_version` in R): numbers split at `.` and `-`,
 * which rank the same; if one is the beginning of the other, the shorter is older.
 */
const pattern = /^[0-9]+([.-][0-9]+)+$/;
const mostNumbers = 10;

export const isVersion = (version: string): boolean =>
  version.length <= longestVersion && pattern.test(version) && numbersOf(version).length <= mostNumbers;

/** Digits without leading zeros: numbers may be larger than any that JavaScript counts exactly. */
const numbersOf = (version: string): string[] =>
  version.split(/[.-]/).map((digits) => withoutLeading(digits, "0") || "0");

/** Equal for versions that R takes for the same: `1.0-1` and `1.0.1`. */
export const versionKey = (version: string): string => numbersOf(version).join(".");

/** Sorts by code point as versions are ordered: each number is preceded by how many digits it has. */
export const versionOrder = (version: string): string =>
  numbersOf(version)
    .map((digits) => String(digits.length).padStart(3, "0") + digits)
    .join("");

export const compareVersions = (a: string, b: string): number => compareText(versionOrder(a), versionOrder(b));

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
