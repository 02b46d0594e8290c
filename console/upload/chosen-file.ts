import { packageList } from "@packhouse/contract/packages";
import type { AllowedFile } from "@packhouse/contract/repositories";
import type { Technology } from "@packhouse/contract/technology";
import { blobSource } from "@packhouse/formats/byte-source";
import { formatOf } from "@packhouse/formats/format";
import type { PackageFile } from "@packhouse/formats/package-file";
import { UnacceptablePackage } from "@packhouse/formats/unacceptable-package";
import { api } from "../api/client.ts";

/** What a file turned out to be when it was read in the browser. */
export type Reading =
  | { kind: "reading" }
  | { kind: "package"; name: string; version: string; present: boolean }
  | { kind: "broken"; codes: readonly string[] };

export interface ChosenFile {
  id: number;
  file: File;
  wrongType: boolean;
  reading: Reading;
  replace: boolean;
  notes: string;
  /** R: whether a manual is to be built from it. */
  generateManual: boolean;
  /** R: a package that was built for one system; undefined: a source package. */
  binary: BinaryTarget | undefined;
}

/** For what a binary was built; empty parts are still to be chosen. */
export interface BinaryTarget {
  rVersion: string;
  architecture: string;
  distribution: string;
}
export const isComplete = ({ rVersion, architecture, distribution }: BinaryTarget): boolean =>
  rVersion !== "" && architecture !== "" && distribution !== "";

/** Why a file cannot be sent yet; undefined: it can. */
export function obstacleOf({ wrongType, reading, binary }: ChosenFile): "type" | "broken" | "target" | undefined {
  if (wrongType) return "type";
  // What is built is read by the server alone.
  if (binary) return isComplete(binary) ? undefined : "target";
  return reading.kind === "broken" ? "broken" : undefined;
}

/** Whether the name ends as the repository allows. A type that the browser gives is no reason to refuse: browsers disagree about archives. */
export const hasAllowedName = (name: string, allowed: readonly AllowedFile[]): boolean =>
  allowed.some(({ extension }) => name.toLowerCase().endsWith(extension.toLowerCase()));

/** Reads a file before anything is sent: what is in it, whether it is acceptable, and whether it is there already. */
export async function readChosen(file: File, technology: Technology, repository: string): Promise<Reading> {
  try {
    const found = await formatOf(technology).readPackage(blobSource(file), file.name);
    return { kind: "package", name: found.name, version: found.version, present: await isPresent(found, repository) };
  } catch (error) {
    if (error instanceof UnacceptablePackage)
      return { kind: "broken", codes: file.size === 0 ? ["error.empty.file"] : error.codes };
    throw error;
  }
}

async function isPresent(found: PackageFile, repository: string): Promise<boolean> {
  const query = new URLSearchParams({ repository, search: found.name, deleted: "false", size: "1000" });
  const format = formatOf(found.technology);
  const page = await api.list(packageList, query.toString());
  return page.content.some(
    (item) =>
      format.normalizeName(item.name) === found.normalizedName &&
      format.versionKey(item.version) === found.versionKey &&
      item.binary === (found.kind === "binary") &&
      (!item.binary || item.fileName === found.fileName),
  );
}
