import { concatenate } from "@packhouse/formats/archive/concatenate";
import type { ByteSource } from "@packhouse/formats/byte-source";
import { UnacceptablePackage } from "@packhouse/formats/unacceptable-package";
import { type InspectionLimits, inspectionLimits } from "./limits.ts";
import { decodeText } from "./reading/decode-text.ts";
import { headSize, kindOfBytes } from "./reading/file-kind.ts";
import { archiveMembers } from "./reading/members.ts";
import { Progress } from "./reading/progress.ts";

interface Archive {
  source: ByteSource;
  fileName: string;
}

/** The texts of an archive that are wanted, by path; without those that are no texts, or for which the time is too short. */
export async function readTexts(
  { source, fileName }: Archive,
  wanted: ReadonlySet<string>,
  progress: Progress,
): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  if (wanted.size === 0) return texts;
  try {
    for await (const member of archiveMembers(source, fileName, progress.limits)) {
      if (progress.isOver) break;
      if (!wanted.has(member.path) || member.linkTarget !== null || member.size > progress.limits.textBytes) continue;
      const pieces: Uint8Array[] = [];
      for await (const piece of member.pieces()) pieces.push(piece);
      const bytes = concatenate(pieces);
      const kind = kindOfBytes(bytes.subarray(0, headSize));
      const text = kind === "empty" ? "" : kind === undefined ? decodeText(bytes)?.text : undefined;
      if (text === undefined) texts.delete(member.path);
      else texts.set(member.path, text);
      // The last of several files of one name counts; only a tar can have them.
    }
  } catch (error) {
    if (!(error instanceof UnacceptablePackage)) throw error; // what comes before the damage was read
  }
  return texts;
}

/** One file of an archive as it is, in pieces; null if there is none at this path, or one that is larger. */
export async function readBytes(
  { source, fileName }: Archive,
  path: string,
  limits: InspectionLimits,
): Promise<Uint8Array[] | null> {
  let found: Uint8Array[] | null = null;
  try {
    for await (const member of archiveMembers(source, fileName, limits)) {
      if (member.path !== path || member.linkTarget !== null) continue;
      found = null;
      if (member.size > limits.textBytes) continue;
      found = [];
      for await (const piece of member.pieces()) found.push(piece);
    }
  } catch (error) {
    if (!(error instanceof UnacceptablePackage)) throw error; // what comes before the damage was read
  }
  return found;
}

/** One text of an archive; null if there is none at this path. */
export async function readText(
  archive: Archive,
  path: string,
  { limits = inspectionLimits, signal }: { limits?: InspectionLimits; signal?: AbortSignal } = {},
): Promise<string | null> {
  return (await readTexts(archive, new Set([path]), new Progress(limits, signal))).get(path) ?? null;
}
