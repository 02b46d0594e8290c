import { ByteStream } from "@packhouse/formats/archive/byte-stream";
import { gunzip } from "@packhouse/formats/archive/gunzip";
import { isDebris, linkTarget, safeSegments } from "@packhouse/formats/archive/member-paths";
import { tarMembers } from "@packhouse/formats/archive/tar";
import { zipParts } from "@packhouse/formats/archive/zip";
import { zipDirectory } from "@packhouse/formats/archive/zip-structure";
import type { ByteSource } from "@packhouse/formats/byte-source";
import { defaultLimits } from "@packhouse/formats/package-file";
import type { InspectionLimits } from "../limits.ts";

/** A file or a link of an archive. */
export interface ArchiveMember {
  /** Below the archive's top-level folder, from where `../` leads to what is next to it; of a wheel the whole path. */
  path: string;
  size: number;
  mode: number | null;
  /** In milliseconds since 1970. */
  modified: number | null;
  /** Where a link leads, as a path like its own; null for a file. */
  linkTarget: string | null;
  /** Its bytes; to be read once and to the end, or not at all, while this is the current member. */
  pieces(): AsyncGenerator<Uint8Array>;
}

/** All files and links of a package's archive in the order of the archive. A zip is read by its directory. */
export async function* archiveMembers(
  source: ByteSource,
  fileName: string,
  { unpackedBytes }: Pick<InspectionLimits, "unpackedBytes">,
): AsyncGenerator<ArchiveMember> {
  const limits = { ...defaultLimits, maxUnpackedBytes: unpackedBytes };
  const pathOf = pathsBelowTop(/\.whl$/i.test(fileName));
  if (/\.(whl|zip)$/i.test(fileName)) {
    for (const member of await zipDirectory(source, limits)) {
      if (member.isFolder) continue;
      const { uncompressedSize: size, mode, modified } = member;
      const path = pathOf(member.segments);
      yield { path, size, mode, modified, linkTarget: null, pieces: () => zipParts(source, member) };
    }
    return;
  }
  const input = new ByteStream(gunzip(source, limits));
  try {
    for await (const member of tarMembers(input, limits)) {
      if (member.type === "directory") continue;
      const segments = safeSegments(member.path);
      // Symbolic links are relative to their folder, hard links to the archive's root.
      const from = member.type === "symlink" ? segments.slice(0, -1) : [];
      yield {
        path: pathOf(segments),
        size: member.size,
        mode: member.mode,
        modified: member.modified,
        linkTarget: member.type === "file" ? null : pathOf(linkTarget(from, member.linkPath)),
        pieces: () => member.pieces(),
      };
    }
  } finally {
    await input.close();
  }
}

/** No two files have one path: what is outside the first top-level folder keeps its own below `..`. */
function pathsBelowTop(isWhole: boolean): (segments: readonly string[]) => string {
  let top: string | undefined;
  return (segments) => {
    if (isWhole) return segments.join("/");
    if (segments.length > 1 && !isDebris(segments.slice(0, 1))) top ??= segments[0];
    return (top !== undefined && segments[0] === top ? segments.slice(1) : ["..", ...segments]).join("/");
  };
}
