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

/** Empty parts are still to be chosen. */
export const isComplete = ({ rVersion, architecture, distribution }: BinaryTarget): boolean =>
  rVersion !== "" && architecture !== "" && distribution !== "";

/** Why a file cannot be sent yet; undefined: it can. */
export function obstacleOf({ wrongType, reading, binary }: ChosenFile): "type" | "broken" | "target" | undefined {
  if (wrongType) return "type";
  if (binary && !isComplete(binary)) return "target";
  return reading.kind === "broken" ? "broken" : undefined;
}

/** What a repository takes; of a server that does not say, source archives. */
export const allowedFilesOf = ({ allowedFiles }: Pick<RepositoryItem, "allowedFiles">): readonly AllowedFile[] =>
  allowedFiles ?? [{ mimetype: "application/gzip", extension: ".tar.gz" }];

/** Whether the name ends as the repository allows. A type that the browser gives is no reason to refuse: browsers disagree about archives. */
export const hasAllowedName = (name: string, allowed: readonly AllowedFile[]): boolean =>
  allowed.some(({ extension }) => name.toLowerCase().endsWith(extension.toLowerCase()));

/**
 * Reads a file before anything is sent: what is in it, whether it is acceptable, and whether it is there already.
 * With `binary` it has to be that; without, a file that was built turns out to be a binary.
 */
export async function readChosen(
  file: File,
  { technology, name: repository }: Pick<RepositoryItem, "technology" | "name">,
  binary?: BinaryRequest,
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
      !binary &&
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

/** Whether the repository has this very file, by what tells files of one version apart. */
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
