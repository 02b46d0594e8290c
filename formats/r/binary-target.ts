import type { FormatCode } from "../unacceptable-package.ts";

/** The target that an R package was built for, as its uploader states it. */
export interface BinaryTarget {
  rVersion: string;
  architecture: string;
  /** The Linux distribution; or `windows`, or R's name for a macOS build, such as `big-sur-arm64`. */
  distribution: string;
}

/** A requested binary, and the binaries that are accepted here. */
export interface BinaryRequest {
  target: BinaryTarget;
  allowed: { rVersions: readonly string[]; architectures: readonly string[]; distributions: readonly string[] };
}

/** The target according to `Built`, as far as it is known; undefined for packages that were not built. */
export function builtTarget(built: string | undefined): BinaryTarget | undefined {
  const [version = "", platform = "", , system] = (built ?? "").split(";").map((part) => part.trim());
  const rVersion = minorVersion(version.replace(/^R /, ""));
  if (rVersion === undefined || system === undefined) return undefined;
  return { rVersion, architecture: platform.split("-")[0] ?? "", distribution: "" };
}

type System = "linux" | "windows" | "macos";

/** R names macOS builds after the release that they require: `.Platform$pkgType` without `mac.binary.`. */
const macosRelease =
  /^(mavericks|el-capitan|sierra|high-sierra|mojave|catalina|big-sur|monterey|ventura|sonoma|sequoia|tahoe)(-|$)/;

export function systemOf(distribution: string): System {
  if (distribution === "windows") return "windows";
  return macosRelease.test(distribution) ? "macos" : "linux";
}

/** File extensions of binaries ("R Installation and Administration", 6.3 and 6.6; `R CMD INSTALL --build`). */
const extensions: Record<System, string> = { linux: ".tar.gz", windows: ".zip", macos: ".tgz" };

export const binaryExtension = ({ distribution }: Pick<BinaryTarget, "distribution">): string =>
  extensions[systemOf(distribution)];

/** The folder in the repository where clients look for such binaries (`contrib.url` in R; for Linux as RDepot does). */
export function binaryFolder({ rVersion, architecture, distribution }: BinaryTarget): string {
  const minor = minorVersion(rVersion);
  const system = systemOf(distribution);
  if (system === "windows") return `bin/windows/contrib/${minor}`;
  if (system === "macos") return `bin/macosx/${distribution}/contrib/${minor}`;
  return `bin/linux/${distribution}/${architecture}/${minor}`;
}

/** Whether a binary folder may also list sources: only on Linux do both have the same kind of file. */
export const takesSources = (folder: string): boolean => folder.startsWith("bin/linux/");

/** The first two numbers of an R version, which determine whether a build is compatible; `4` means `4.0`. */
export function minorVersion(rVersion: string): string | undefined {
  const [, major, minor = "0"] = /^(\d+)(?:\.(\d+))?(?:[.-]\d+)*$/.exec(rVersion.trim()) ?? [];
  return major && `${Number(major)}.${Number(minor)}`;
}

/** `Built: R 4.2.2; x86_64-pc-linux-gnu; 2026-11-21 02:47:12 UTC; unix`; without native code, the platform is empty. */
export function problemsOfBinary(built: string, { target, allowed }: BinaryRequest): FormatCode[] {
  const [version = "", platform = "", , system] = built.split(";").map((part) => part.trim());
  if (system === undefined || !isBuiltFor(systemOf(target.distribution), platform, system)) return ["empty.built"];
  const minor = minorVersion(target.rVersion);
  const architecture = platform.split("-")[0];
  const problems: [broken: boolean, code: FormatCode][] = [
    [minor === undefined || !allowed.rVersions.some((one) => minorVersion(one) === minor), "r.version.not.allowed"],
    [minor === undefined || minorVersion(version.replace(/^R /, "")) !== minor, "invalid.r.version"],
    [!allowed.architectures.includes(target.architecture), "architecture.not.allowed"],
    [platform !== "" && architecture !== target.architecture, "invalid.architecture"],
    [!allowed.distributions.includes(target.distribution), "distribution.not.allowed"],
  ];
  return problems.filter(([broken]) => broken).map(([, code]) => code);
}

function isBuiltFor(wanted: System, platform: string, system: string): boolean {
  if (wanted === "windows") return system === "windows";
  const apple = /apple|darwin/.test(platform);
  return system === "unix" && (platform === "" || apple === (wanted === "macos"));
}
