import { readTarGz } from "../archive/package-archive.ts";
import { readZip } from "../archive/zip.ts";
import type { ByteSource } from "../byte-source.ts";
import { checkCount } from "../metadata-limits.ts";
import { defaultLimits, type RPackageFile } from "../package-file.ts";
import type { ReadOptions } from "../package-format.ts";
import { UnacceptablePackage } from "../unacceptable-package.ts";
import { type BinaryRequest, type BinaryTarget, binaryExtension, builtTarget } from "./binary-target.ts";
import { readDescription } from "./dcf.ts";
import { nameOfFile, packageOfDescription } from "./package-of-description.ts";
import { isVignette } from "./vignettes.ts";

/** The file name of a package: something before the first underscore, and for a source package `.tar.gz`. */
export function checkFileName(fileName: string, binary = false): void {
  if (!binary && /\.(zip|tgz|tar\.bz2|tar\.xz|tar|whl|egg)$/i.test(fileName))
    throw new UnacceptablePackage(["unsupported.package.format"]);
  const extension = binary ? /\.(tar\.gz|tgz|zip)$/i : /\.tar\.gz$/i;
  if (!extension.test(fileName) || nameOfFile(fileName).trim() === "" || !fileName.includes("_"))
    throw new UnacceptablePackage(["invalid.filename"]);
}

/**
 * Reads a source package built by `R CMD build`, or, if requested, a binary built by `R CMD INSTALL --build`.
 * Throws `UnacceptablePackage` with every reason.
 */
export async function readRPackage(
  source: ByteSource,
  fileName: string,
  { limits = defaultLimits, binary, further }: Pick<ReadOptions, "limits" | "binary" | "further"> = {},
): Promise<RPackageFile> {
  checkFileName(fileName, binary !== undefined);
  if (binary && !fileName.toLowerCase().endsWith(extensionTaken(binary)))
    throw new UnacceptablePackage(["unsupported.package.format"]);
  const read = /\.zip$/i.test(fileName) ? readZip : readTarGz;
  const vignettes = new Set<string>();
  const { files } = await read(
    source,
    (path) => {
      if (isVignette(path, binary ? "binary" : "source")) checkCount("vignettes", vignettes.add(path).size);
      return path === "DESCRIPTION";
    },
    limits,
    further,
  );
  return packageOfDescription(files.get("DESCRIPTION"), fileName, binary);
}

/** The target of a built file, as far as the file states it; undefined for source packages and other files. */
export async function readBuiltTarget(source: ByteSource, fileName: string): Promise<BinaryTarget | undefined> {
  const read = /\.zip$/i.test(fileName) ? readZip : readTarGz;
  const { files } = await read(source, (path) => path === "DESCRIPTION", defaultLimits);
  const description = files.get("DESCRIPTION");
  return description && builtTarget(readDescription(description).get("Built"));
}

/** Binaries for a system that is not accepted at all are an unknown kind of file. */
const extensionTaken = ({ target, allowed }: BinaryRequest): string =>
  allowed.distributions.includes(target.distribution) ? binaryExtension(target) : ".tar.gz";
