import { type PackageItem, pythonPackageList, rPackageList } from "@packhouse/contract/packages";
import type { AllowedFile, RepositoryItem } from "@packhouse/contract/repositories";
import type { Technology } from "@packhouse/contract/technology";
import { blobSource } from "@packhouse/formats/byte-source";
import { formatOf } from "@packhouse/formats/format";
import type { PackageFile } from "@packhouse/formats/package-file";
import type { BinaryRequest, BinaryTarget } from "@packhouse/formats/r/binary-target";
import { UnacceptablePackage } from "@packhouse/formats/unacceptable-package";
import { api } from "../../api/client.ts";
import { fileNameOf } from "../../calls/package-file.ts";

/** What the browser found out by reading a file. */
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
  /** R: whether to build a manual from it. */
  generateManual: boolean;
  /** R: a binary for one system; undefined: a source package. */
  binary: BinaryTarget | undefined;
}

/** Empty parts have not been selected yet. */
export const isComplete = ({ rVersion, architecture, distribution }: BinaryTarget): boolean =>
  rVersion !== "" && architecture !== "" && distribution !== "";

/** Why a file cannot be sent yet; undefined if it can. */
export function obstacleOf({ wrongType, reading, binary }: ChosenFile): "type" | "broken" | "target" | undefined {
  if (wrongType) return "type";
  if (binary && !isComplete(binary)) return "target";
  return reading.kind === "broken" ? "broken" : undefined;
}

/** File types that a repository accepts; source archives if the server does not report them. */
export const allowedFilesOf = ({ allowedFiles }: Pick<RepositoryItem, "allowedFiles">): readonly AllowedFile[] =>
  allowedFiles ?? [{ mimetype: "application/gzip", extension: ".tar.gz" }];

/**
 * Whether the extension is allowed in the repository. The browser's media type is ignored: browsers disagree on
 * archives.
 */
export const hasAllowedName = (name: string, allowed: readonly AllowedFile[]): boolean =>
  allowed.some(({ extension }) => name.toLowerCase().endsWith(extension.toLowerCase()));

/**
 * Reads a file before anything is sent: its contents, whether it is acceptable, and whether it is already there.
 * With `binary`, it has to match; without, a built file is recognized as a binary, unless the user has chosen its kind.
 */
export async function readChosen(
  file: File,
  { technology, name: repository }: Pick<RepositoryItem, "technology" | "name">,
  { binary, kindChosen }: { binary: BinaryRequest | undefined; kindChosen: boolean },
): Promise<Partial<Pick<ChosenFile, "reading" | "binary">>> {
  try {
    const found = await formatOf(technology).readPackage(blobSource(file), file.name, {
      binary,
      contents: "listed",
    });
    const present = await isPresent(found, repository);
    return { reading: { kind: "package", name: found.name, version: found.version, present } };
  } catch (error) {
    if (!(error instanceof UnacceptablePackage)) throw error;
    const built =
      !kindChosen &&
      (await formatOf(technology)
        .readBuiltTarget(blobSource(file), file.name)
        .catch(() => undefined));
    return {
      reading: { kind: "broken", codes: file.size === 0 ? ["error.empty.file"] : error.reasons },
      ...(built ? { binary: built } : {}),
    };
  }
}

type FileOf<T extends Technology = Technology> = { [K in T]: Extract<PackageFile, { technology: K }> }[T];
interface Search {
  query: string;
  /** Whether an item is the same package, version and kind. */
  same(item: Pick<PackageItem, "name" | "version" | "binary">): boolean;
}

/** Whether the repository has this very file, by what distinguishes the files of a version. */
const presentAs: { [T in Technology]: (found: FileOf<T>, search: Search) => Promise<boolean> } = {
  async R({ metadata }, { query, same }) {
    const { rversion, architecture, distribution } = metadata;
    const { content } = await api.list(rPackageList, query);
    return content.some(
      (item) =>
        same(item) &&
        item.rversion === rversion &&
        item.architecture === architecture &&
        item.distribution === distribution,
    );
  },
  async Python({ fileName }, { query, same }) {
    const { content } = await api.list(pythonPackageList, query);
    return content.some((item) => same(item) && (!item.binary || fileNameOf(item) === fileName));
  },
};

function isPresent<T extends Technology>(found: FileOf<T>, repository: string): Promise<boolean> {
  const query = new URLSearchParams({ repository, name: found.name, deleted: "false", size: "1000" }).toString();
  const format = formatOf(found.technology);
  return presentAs[found.technology](found, {
    query,
    same: (item) =>
      format.normalizeName(item.name) === found.normalizedName &&
      format.versionKey(item.version) === found.versionKey &&
      item.binary === (found.kind === "binary"),
  });
}
