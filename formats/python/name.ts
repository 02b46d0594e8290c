import { longestName } from "../package-file.ts";

/** A valid project name: https://packaging.python.org/en/latest/specifications/name-normalization/ */
export const isName = (name: string): boolean =>
  name.length <= longestName && /^[A-Z0-9]([A-Z0-9._-]*[A-Z0-9])?$/i.test(name);

/**
 * Whether a file name consists only of characters that names, versions and tags use: it becomes part of addresses and
 * headers unescaped.
 */
export const isDistributionName = (fileName: string): boolean => /^[A-Za-z0-9._!+-]+$/.test(fileName);

/** PEP 503: lowercase, with each run of `-`, `_` and `.` replaced by one `-`. */
export const normalizeName = (name: string): string => name.toLowerCase().replace(/[-_.]+/g, "-");
