import type { ByteSource } from "../byte-source.ts";
import { defaultLimits, type PythonPackageFile, type ReadLimits } from "../package-file.ts";
import { UnacceptablePackage } from "../unacceptable-package.ts";
import { partsOfSdistName, readSdist } from "./sdist.ts";
import { partsOfWheelName, readWheel } from "./wheel.ts";

const isWheel = (fileName: string): boolean => /\.whl$/i.test(fileName);

/** An sdist as `.tar.gz` or a wheel; names of both say which project and version they are. */
export function checkFileName(fileName: string): void {
  if (isWheel(fileName)) partsOfWheelName(fileName);
  else if (/\.(zip|tgz|tar\.bz2|tar\.xz|tar\.zst|tar|egg|exe|rpm|msi)$/i.test(fileName))
    throw new UnacceptablePackage(["unsupported.package.format"], "python -m build makes a .tar.gz and a .whl");
  else partsOfSdistName(fileName);
}

export async function readDistribution(
  source: ByteSource,
  fileName: string,
  limits: ReadLimits = defaultLimits,
): Promise<PythonPackageFile> {
  checkFileName(fileName);
  return isWheel(fileName) ? readWheel(source, fileName, limits) : readSdist(source, fileName, limits);
}
