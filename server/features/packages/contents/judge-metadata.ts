import type { Technology } from "@packhouse/contract/technology";
import type { ViolationCode } from "@packhouse/contract/violations";
import { brokenRules as brokenPythonRules } from "@packhouse/formats/python/core-metadata";
import { brokenRules as brokenRRules } from "@packhouse/formats/r/description-rules";

export interface MetadataToJudge {
  technology: Technology;
  fields: { name: string; version: string } & Readonly<Record<string, unknown>>;
}

/** The rules that the fields of a record break. Runs in a worker. */
export function judgeMetadata({ technology, fields }: MetadataToJudge): ViolationCode[] {
  if (technology === "Python") return brokenPythonRules(fields);
  const text = (value: unknown) => (typeof value === "string" ? value : "");
  const { name, version, description, author, license, title } = fields;
  return brokenRRules({
    name,
    version,
    description: text(description),
    author: text(author),
    license: text(license),
    title: text(title),
  });
}
