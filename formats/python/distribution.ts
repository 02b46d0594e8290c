import type { ByteSource } from "../byte-source.ts";
import { defaultLimits, type PythonPackageFile, type ReadLimits } from "../package-file.ts";
import { UnacceptablePackage } from "../unacceptable-package.ts";
import { partsOfSdistName, readSdist } from "./sdist.ts";
import { partsOfWheelName, readWheel } from "./wheel.ts";

const isWheel = (fileName: string): boolean => /\.whl$/i.test(fileName);

/**
 * An sdist as `.tar.gz` or a wheel; the file names of both state project and version. Sdists as `.zip` predate
 * PEP 625, and some projects have no others: copies of them are accepted, new ones are not.
 */
export function checkFileName(fileName: string, mirrored = false): void {
  if (isWheel(fileName)) partsOfWheelName(fileName);
  else if (mirrored && /\.zip$/i.test(fileName)) partsOfSdistName(fileName, mirrored);
  else if (/\.(zip|tgz|tar\.bz2|tar\.xz|tar\.zst|tar|egg|exe|rpm|msi)$/i.test(fileName))
    throw new UnacceptablePackage(["unsupported.package.format"], "python -m build creates a .tar.gz and a .whl");
  else partsOfSdistName(fileName);
}

/** How a distribution is read. */
export interface DistributionReading {
  limits?: ReadLimits | undefined;
  /** Whether it is a copy from another repository. */
  mirrored?: boolean | undefined;
  /** `listed`: skips comparing a wheel's files with its RECORD, which takes as long as unpacking it. */
  contents?: "compared" | "listed" | undefined;
}

export async function readDistribution(
  source: ByteSource,
  fileName: string,
  { limits = defaultLimits, mirrored = false, contents = "compared" }: DistributionReading = {},
): Promise<PythonPackageFile> {
  checkFileName(fileName, mirrored);
  return isWheel(fileName)
    ? readWheel(source, fileName, { limits, compares: contents === "compared" })
    : readSdist(source, fileName, limits);
}
