import type { Sent } from "@packhouse/contract/answer";
import { type Link, patchLink } from "@packhouse/contract/links";
import {
  type OtherFile,
  type PackageDownloads,
  type packageItem,
  pythonPackageFields,
  rPackageFields,
} from "@packhouse/contract/packages";
import { technologyPath } from "@packhouse/contract/technology";
import type { Viewer } from "../../http/application.ts";
import type { DigestName } from "../../platform/db/schema.ts";
import type { Settings } from "../../platform/settings/settings.ts";
import { canDelete, canPatch, isWaiting } from "./package.ts";
import type { PackageItem, PackageItemCore, ShownPackage } from "./package-columns-store.ts";

/** A package as events show it. */
export const packageCoreBody = (row: PackageItemCore) => ({
  id: row.id,
  user: row.user,
  repository: row.repository,
  submission: { id: row.submission_id, state: row.submission_state },
  name: row.name,
  version: row.version,
  source: `${row.repository.name}/${row.digest}/${row.file_name}`,
  active: row.active,
  deleted: row.deleted,
  technology: row.technology,
  binary: row.kind === "binary",
});

/** Fields of every package, without links. */
export const packageBody = (row: PackageItem) => ({
  ...packageCoreBody(row),
  description: row.description,
  author: row.author,
  title: row.title,
  url: row.url,
  descriptionContentType: row.description_content_type,
  fileName: row.file_name,
  size: row.size,
  ...originOf(row),
});

const originOf = ({ mirror }: PackageItem) =>
  mirror === null ? { origin: "upload" as const } : { origin: "mirror" as const, mirror };

/** Fields of packages of one technology, by wire names; the stored metadata use the same names. */
export const technologyFields = {
  R: (row: ShownPackage) =>
    rPackageFields.parse({
      ...row.metadata,
      license: row.license ?? "",
      md5sum: row.digests.md5,
      manualAvailable: row.manual_digest !== null,
    }),
  Python: (row: ShownPackage, hashMethod: string) =>
    pythonPackageFields.parse({ ...row.metadata, license: row.license, hash: row.digests[digestNameOf(hashMethod)] }),
} as const;

const digestNames: Record<string, DigestName> = {
  MD5: "md5",
  SHA1: "sha1",
  SHA224: "sha224",
  SHA256: "sha256",
  SHA384: "sha384",
  SHA512: "sha512",
};

/** `hashlib` name of a repository's hash method. */
export const digestNameOf = (hashMethod: string): DigestName => digestNames[hashMethod] ?? "sha256";

/** Fields of single packages only. */
export interface SinglePackage {
  otherFiles: OtherFile[];
  downloads: PackageDownloads;
}

export function packagePresenter(settings: Pick<Settings, "deleting.packages">) {
  const linksOf = (row: PackageItem, viewer: Viewer, listPath: string): Link[] => {
    const self = `${viewer.api}/${technologyPath[row.technology]}/packages/${row.id}`;
    const deletable = settings["deleting.packages"] && canDelete(viewer.actor, row);
    const patchable = canPatch(viewer.actor, row) && (deletable || !isWaiting(row));
    return [
      { rel: "self", href: self },
      { rel: "packageList", href: viewer.api + listPath },
      ...(patchable ? [patchLink(self, { onlyDeletion: row.deleted || isWaiting(row) })] : []),
      ...(deletable ? [{ rel: "self", href: self, type: "DELETE" as const }] : []),
    ];
  };
  return {
    base: (row: PackageItem, viewer: Viewer): Sent<typeof packageItem> => ({
      ...packageBody(row),
      links: linksOf(row, viewer, "/packages"),
    }),
    /** With the fields of its technology; the repository's hash method decides which digest `hash` is. */
    own: (row: ShownPackage, hashMethod: string, viewer: Viewer, single?: SinglePackage) => ({
      ...packageBody(row),
      ...technologyFields[row.technology](row, hashMethod),
      ...single,
      ...(row.manual_failure !== null && canPatch(viewer.actor, row) ? { manualFailure: row.manual_failure } : {}),
      links: linksOf(row, viewer, `/${technologyPath[row.technology]}/packages`),
    }),
  };
}
