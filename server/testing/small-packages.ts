import { createHash } from "node:crypto";
import { member, tarGzOfFolder, zip } from "@packhouse/fixtures/archive-writing";

/** A file that can be uploaded. */
export interface SmallPackage {
  fileName: string;
  bytes: Uint8Array;
  type: string;
}

const released = new Date("2026-01-02T03:04:05Z");

/** The minimal R source package; fields of DESCRIPTION may be added or replaced, and files added. */
export async function smallRPackage(
  name: string,
  version: string,
  fields: Record<string, string> = {},
  files: Record<string, string> = {},
): Promise<SmallPackage> {
  const description = {
    Package: name,
    Version: version,
    Title: `Title of ${name}`,
    Author: "Ada Fern",
    Maintainer: "Ada Fern <ada@example.org>",
    Description: `What ${name} does.`,
    License: "GPL-3",
    NeedsCompilation: "no",
    ...fields,
  };
  const bytes = await tarGzOfFolder(
    name,
    [
      member("DESCRIPTION", headers(description)),
      member("NAMESPACE", ""),
      ...Object.entries(files).map(([path, text]) => member(path, text)),
    ],
    released,
  );
  return { fileName: `${name}_${version}.tar.gz`, bytes, type: "application/gzip" };
}

/** The minimal source distribution; headers of PKG-INFO may be added or replaced, and files added. */
export async function smallSdist(
  name: string,
  version: string,
  fields: Record<string, string> = {},
  files: Record<string, string> = {},
): Promise<SmallPackage> {
  const bytes = await tarGzOfFolder(
    `${fileNamePart(name)}-${version}`,
    [
      member("PKG-INFO", headers(coreMetadata(name, version, fields))),
      ...Object.entries(files).map(([path, text]) => member(path, text)),
    ],
    released,
  );
  return { fileName: `${fileNamePart(name)}-${version}.tar.gz`, bytes, type: "application/gzip" };
}

/** The same as a zip file, as it was made before PEP 625. */
export async function smallZippedSdist(name: string, version: string): Promise<SmallPackage> {
  const folder = `${fileNamePart(name)}-${version}`;
  const bytes = await zip([member(`${folder}/PKG-INFO`, headers(coreMetadata(name, version, {})))]);
  return { fileName: `${folder}.zip`, bytes, type: "application/zip" };
}

/** A wheel for any system with nothing in it but its metadata; headers may be added or replaced, and files added. */
export async function smallWheel(
  name: string,
  version: string,
  fields: Record<string, string> = {},
  files: Record<string, string> = {},
): Promise<SmallPackage> {
  const folder = `${fileNamePart(name)}-${version}.dist-info`;
  const members = [
    ...Object.entries(files).map(([path, text]) => member(path, text)),
    member(`${folder}/METADATA`, headers(coreMetadata(name, version, fields))),
    member(`${folder}/WHEEL`, headers({ "Wheel-Version": "1.0", "Root-Is-Purelib": "true", Tag: "py3-none-any" })),
  ];
  const record = members.map(({ path, bytes }) => {
    return `${path},sha256=${createHash("sha256").update(bytes).digest("base64url")},${bytes.length}\n`;
  });
  const bytes = await zip([...members, member(`${folder}/RECORD`, `${record.join("")}${folder}/RECORD,,\n`)]);
  return { fileName: `${fileNamePart(name)}-${version}-py3-none-any.whl`, bytes, type: "application/zip" };
}

const fileNamePart = (name: string): string => name.toLowerCase().replace(/[-_.]+/g, "_");

const coreMetadata = (name: string, version: string, fields: Record<string, string>) => ({
  "Metadata-Version": "2.1",
  Name: name,
  Version: version,
  Summary: `What ${name} does.`,
  Author: "Ada Fern",
  License: "MIT",
  ...fields,
});

const headers = (fields: Record<string, string>): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join("");
