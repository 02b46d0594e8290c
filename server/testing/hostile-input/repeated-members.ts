import { gzip, tar } from "@packhouse/fixtures/archive-writing";
import type { SmallPackage } from "../small-packages.ts";

const license = "free for all";
const released = new Date("2026-01-02T03:04:05Z");

/** The files as they are, then the license and the description again. */
async function repeated(
  folder: string,
  fileName: string,
  files: Record<string, string>,
  again: Record<string, string>,
): Promise<SmallPackage> {
  const entries = [...Object.entries(files), ...Object.entries(again)].map(([path, text]) => ({
    name: `${folder}/${path}`,
    bytes: Buffer.from(text),
  }));
  return { fileName, bytes: gzip(await tar(entries, released)), type: "application/gzip" };
}

/** An R source package with two files twice; the second license may differ. */
export function repeatedRPackage(name: string, secondLicense = license): Promise<SmallPackage> {
  const description = `Package: ${name}
Version: 1.0
Title: Title of ${name}
Author: Ada Fern
Maintainer: Ada Fern <ada@example.org>
Description: What ${name} does.
License: GPL-3
NeedsCompilation: no
`;
  const files = { DESCRIPTION: description, NAMESPACE: "", LICENSE: license };
  return repeated(name, `${name}_1.0.tar.gz`, files, { DESCRIPTION: description, LICENSE: secondLicense });
}

/** A source distribution that setuptools can build, with two files twice; the second license may differ. */
export function repeatedSdist(name: string, secondLicense = license): Promise<SmallPackage> {
  const metadata = `Metadata-Version: 2.1\nName: ${name}\nVersion: 1.0\nLicense: MIT\n`;
  const files = {
    "PKG-INFO": metadata,
    LICENSE: license,
    "setup.py": `from setuptools import setup\nsetup(name="${name}", version="1.0", py_modules=["${name}"])\n`,
    [`${name}.py`]: "here = True\n",
  };
  return repeated(`${name}-1.0`, `${name}-1.0.tar.gz`, files, { "PKG-INFO": metadata, LICENSE: secondLicense });
}
