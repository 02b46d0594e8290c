import { ByteStream } from "@packhouse/formats/archive/byte-stream";
import { gunzip } from "@packhouse/formats/archive/gunzip";
import { isDebris, safeSegments } from "@packhouse/formats/archive/member-paths";
import { tarMembers } from "@packhouse/formats/archive/tar";
import { zipParts } from "@packhouse/formats/archive/zip";
import { zipDirectory } from "@packhouse/formats/archive/zip-structure";
import type { ByteSource } from "@packhouse/formats/byte-source";
import { defaultLimits } from "@packhouse/formats/package-file";
import type { InspectionLimits } from "../limits.ts";

/** A file or a link of an archive. */
export interface ArchiveMember {
  /** Below the archive's top-level folder; of a wheel the whole path. */
  path: string;
  size: number;
  mode: number | null;
  /** In milliseconds since 1970. */
  modified: number | null;
  /** Where a link leads; null for a file. */
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
      const isFile = member.type === "file";
      yield {
        path: pathOf(safeSegments(member.path)),
        size: member.size,
        mode: member.mode,
        modified: member.modified,
        linkTarget: isFile ? null : member.linkPath,
        pieces: () => member.pieces(),
      };
    }
  } finally {
    await input.close();
  }
}

/** Files outside the first top-level folder, and what macOS leaves in archives, keep their whole path. */
function pathsBelowTop(isWhole: boolean): (segments: readonly string[]) => string {
  let top: string | undefined;
  return (segments) => {
    if (isWhole || segments.length < 2 || isDebris(segments.slice(0, 1))) return segments.join("/");
    top ??= segments[0];
    return (segments[0] === top ? segments.slice(1) : segments).join("/");
  };
}
