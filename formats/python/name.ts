/** A valid project name: https://packaging.python.org/en/latest/specifications/name-normalization/ */
export const isName = (name: string): boolean => /^[A-Z0-9]([A-Z0-9._-]*[A-Z0-9])?$/i.test(name);

/** PEP 503: lower case, each run of `-`, `_` and `.` is one `-`. */
export const normalizeName = (name: string): string => name.toLowerCase().replace(/[-_.]+/g, "-");
