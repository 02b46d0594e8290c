import { longestName } from "../package-file.ts";
import type { FormatCode } from "../unacceptable-package.ts";
import { isVersion } from "./version.ts";

/** The fields that the rules check; a missing field is an empty text. */
export interface DescriptionFields {
  name: string;
  description: string;
  author: string;
  license: string;
  title: string;
  version: string;
}

interface Rule {
  code: FormatCode;
  broken(it: DescriptionFields): boolean;
}

/** "Writing R Extensions", 1.1.1. The length is our own: `{name}_{version}.tar.gz` must be a file name anywhere. */
const isName = (name: string): boolean => /^[A-Za-z][A-Za-z0-9.]*[A-Za-z0-9]$/.test(name) && name.length <= longestName;

/** Rules are data, in the order in which their codes are reported. */
const rules: readonly Rule[] = [
  { code: "empty.name", broken: (it) => it.name === "" },
  { code: "invalid.package.name", broken: (it) => !isName(it.name) },
  { code: "empty.description", broken: (it) => it.description === "" },
  { code: "empty.author", broken: (it) => it.author === "" },
  { code: "empty.license", broken: (it) => it.license === "" },
  { code: "empty.title", broken: (it) => it.title === "" },
  { code: "empty.version", broken: (it) => it.version === "" },
  { code: "invalid.version", broken: (it) => it.version !== "" && !isVersion(it.version) },
];

/** Every broken rule, so that an uploader can fix all of them in one go. */
export const brokenRules = (it: DescriptionFields): FormatCode[] =>
  rules.filter((rule) => rule.broken(it)).map((rule) => rule.code);
