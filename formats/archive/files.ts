import type { ByteSource } from "../byte-source.ts";
import type { ReadLimits } from "../package-file.ts";
import { ByteStream } from "./byte-stream.ts";
import { gunzip } from "./gunzip.ts";
import { safeSegments } from "./member-paths.ts";
import { tarMembers } from "./tar.ts";
import { zipBeginning } from "./zip.ts";
import { zipDirectory } from "./zip-structure.ts";

/** A file in an archive that was validated when it was uploaded. */
export interface ArchiveFile {
  /** Its path, starting with the top-level folder. */
  segments: readonly string[];
  /** Its bytes, or only the first `longest` of them. Can be read once, while this is the current file. */
  content(longest?: number): Promise<Uint8Array>;
}

/**
 * Iterates over the wanted files of an archive once, selected by the segments of their paths. A zip is read by its
 * directory, anything else as gzipped tar. Links are not files.
 */
export async function* archiveFiles(
  source: ByteSource,
  fileName: string,
  wanted: (segments: readonly string[]) => boolean,
  limits: ReadLimits,
): AsyncGenerator<ArchiveFile> {
  if (/\.zip$/i.test(fileName)) {
    for (const member of await zipDirectory(source, limits))
      if (!member.isFolder && wanted(member.segments))
        yield {
          segments: member.segments,
          content: (longest = limits.maxUnpackedBytes) => zipBeginning(source, member, longest),
        };
    return;
  }
  const input = new ByteStream(gunzip(source, limits));
  try {
    for await (const member of tarMembers(input, limits)) {
      const segments = safeSegments(member.path);
      if (member.type !== "file" || !wanted(segments)) continue;
      yield { segments, content: (longest) => member.content(longest) };
    }
  } finally {
    await input.close();
  }
}
