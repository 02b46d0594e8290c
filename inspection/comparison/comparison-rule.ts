import type { Comparison } from "@packhouse/contract/review/comparison";
import type { Inspection } from "@packhouse/contract/review/inspection";
import type { SignalId } from "@packhouse/contract/review/signals";
import type { Finding } from "../signal.ts";

/** Two releases of a package, compared. */
export interface Compared extends Pick<Comparison, "dependencies" | "files" | "interface"> {
  before: Inspection;
  after: Inspection;
}

/** One rule about two releases. */
export interface ComparisonRule {
  id: SignalId;
  examine(compared: Compared): Iterable<Finding>;
}

export const saidIn = ({ fields }: Inspection, name: string): string =>
  fields.find((one) => one.name === name)?.value ?? "";
