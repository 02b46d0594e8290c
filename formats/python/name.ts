import { longestName } from "../package-file.ts";

/** A valid project name: https://packaging.python.org/en/latest/specifications/name-normalization/ */
export const isName = (name: string): boolean =>
  name.length <= longestName && /^[A-Z0-9]([A-Z0-9._-]*[A-Z0-9])?$/i.test(name);

/**
 * Whether nothing but the parts of names, versions and tags is in a file name: it becomes part of addresses and headers
 * as it is.
 */
export const isDistributionName = (fileName: string): boolean => /^[A-Za-z0-9._!+-]+$/.test(fileName);

/** PEP 503: lower case, each run of `-`, `_` and `.` is one `-`. */
export const normalizeName = (name: string): string => name.toLowerCase().replace(/[-_.]+/g, "-");
