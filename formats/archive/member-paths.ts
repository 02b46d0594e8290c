import { UnacceptablePackage } from "../unacceptable-package.ts";

/** A member's path as segments, without a leading `./`. Refuses paths that leave the folder it is unpacked in. */
export function safeSegments(path: string): string[] {
  if (path.startsWith("/") || path.includes("\0")) throw unsafe(path);
  const segments = path.split("/").filter((segment) => segment !== "" && segment !== ".");
  if (segments.includes("..")) throw unsafe(path);
  return segments;
}

/** In zip files a backslash or a drive letter may mean the same as a slash. */
export function safeZipSegments(path: string): string[] {
  if (path.includes("\\") || /^[A-Za-z]:/.test(path)) throw unsafe(path);
  return safeSegments(path);
}

/**
 * The target of a link, as segments from the archive's root. Refuses targets outside of it, and `..` after a
 * name: that name may be a link itself, and its parent may be elsewhere.
 */
export function linkTarget(from: readonly string[], target: string): string[] {
  if (target.startsWith("/") || target.includes("\0")) throw unsafe(target);
  const segments = target.split("/").filter((segment) => segment !== "" && segment !== ".");
  const up = segments.findIndex((segment) => segment !== "..");
  const names = up === -1 ? [] : segments.slice(up);
  const levels = segments.length - names.length;
  if (levels > from.length || names.includes("..")) throw unsafe(target);
  return [...from.slice(0, from.length - levels), ...names];
}

/** The links of an archive, by the folders that contain them. */
export class LinkTree {
  readonly #below = new Map<string, LinkTree>();
  #isLink = false;

  add(segments: readonly string[]): void {
    let at: LinkTree = this;
    for (const segment of segments) {
      const below: LinkTree = at.#below.get(segment) ?? new LinkTree();
      at.#below.set(segment, below);
      at = below;
    }
    at.#isLink = true;
  }

  has(segments: readonly string[]): boolean {
    let at: LinkTree = this;
    for (const segment of segments) {
      const below = at.#below.get(segment);
      if (below === undefined) return false;
      at = below;
    }
    return at.#isLink;
  }

  /** Whether unpacking this path would write through a link. */
  leadsAstray(segments: readonly string[]): boolean {
    let at: LinkTree | undefined = this;
    for (const segment of segments.slice(0, -1)) {
      at = at.#below.get(segment);
      if (at === undefined) return false;
      if (at.#isLink) return true;
    }
    return false;
  }
}

/** Whether one of a path's parent folders is a file. */
export function isBelowFile(segments: readonly string[], files: ReadonlySet<string>): boolean {
  let path = "";
  for (const segment of segments.slice(0, -1)) {
    path = path === "" ? segment : `${path}/${segment}`;
    if (files.has(path)) return true;
  }
  return false;
}

/** Equal for paths that are the same file on disks that ignore case or Unicode normalization. */
const folded = (path: string): string => path.normalize("NFC").toLowerCase().normalize("NFC");

/**
 * Refuses archives in which another file is named like a metadata file, except for case or Unicode form: which of them
 * is left after unpacking depends on the disk. Other files may have such names: there are packages like that.
 */
export function checkLetterCase(paths: readonly string[], deciding: ReadonlyMap<string, unknown>): void {
  const exact = new Map([...deciding.keys()].map((path) => [folded(path), path]));
  for (const path of paths) {
    const known = exact.get(folded(path));
    if (known !== undefined && known !== path) throw unsafe(path);
  }
}

/** Files that macOS leaves in archives; they are not part of the package. */
export const isDebris = (segments: readonly string[]): boolean =>
  segments[0] === "__MACOSX" || segments.some((segment) => segment.startsWith("._") || segment === ".DS_Store");

export const unsafe = (path: string): UnacceptablePackage =>
  new UnacceptablePackage(["unsafe.archive.entry"], JSON.stringify(path.slice(0, 200)));
