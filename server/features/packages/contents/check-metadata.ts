import type { Technology } from "@packhouse/contract/technology";
import type { ViolationCode } from "@packhouse/contract/violations";
import { formatOf } from "@packhouse/formats/format";

export interface MetadataToCheck {
  technology: Technology;
  fields: { name: string; version: string } & Readonly<Record<string, unknown>>;
}

/** The rules that the fields of a record break. Runs in a worker. */
export const checkMetadata = ({ technology, fields }: MetadataToCheck): ViolationCode[] =>
  formatOf(technology).checkMetadata(fields);
