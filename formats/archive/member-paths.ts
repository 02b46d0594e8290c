import { UnacceptablePackage } from "../unacceptable-package.ts";

/** A member's path as segments, without a leading `./`. Refuses what would leave the folder it is unpacked in. */
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

/** What a link points at, as segments from the archive's root; refuses targets outside of it. */
export function linkTarget(from: readonly string[], target: string): string[] {
  if (target.startsWith("/") || target.includes("\0")) throw unsafe(target);
  const reached = [...from];
  for (const segment of target.split("/")) {
    if (segment === "" || segment === ".") continue;
    if (segment !== "..") reached.push(segment);
    else if (reached.pop() === undefined) throw unsafe(target);
  }
  return reached;
}

/** Files that macOS leaves in archives; they belong to no package. */
export const isDebris = (segments: readonly string[]): boolean =>
  segments[0] === "__MACOSX" || segments.some((segment) => segment.startsWith("._") || segment === ".DS_Store");

export const unsafe = (path: string): UnacceptablePackage =>
  new UnacceptablePackage(["unsafe.archive.entry"], "unreadable", JSON.stringify(path.slice(0, 200)));
