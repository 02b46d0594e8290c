import { concatenate } from "@packhouse/formats/archive/concatenate";
import type { ByteSource } from "@packhouse/formats/byte-source";
import { UnacceptablePackage } from "@packhouse/formats/unacceptable-package";
import { type InspectionLimits, inspectionLimits } from "./limits.ts";
import { fileText } from "./reading/file-text.ts";
import { Links } from "./reading/links.ts";
import { type ArchiveMember, archiveMembers } from "./reading/members.ts";
import { Progress } from "./reading/progress.ts";

interface Archive {
  source: ByteSource;
  fileName: string;
}

/** The texts of an archive that are wanted, by path; without those that are no texts, or for which the time is too short. */
export async function readTexts(
  archive: Archive,
  wanted: ReadonlySet<string>,
  progress: Progress,
): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  if (wanted.size === 0) return texts;
  await throughLinks(archive, wanted, progress.limits, async (member, paths) => {
    if (progress.isOver) return false;
    const isSmall = member.size <= progress.limits.textBytes;
    const bytes = isSmall ? concatenate(await piecesOf(member)) : null;
    for (const path of paths) {
      const text = bytes && textOf(path, bytes);
      // The last of several files of one name counts; only a tar can have them.
      if (text === null) texts.delete(path);
      else texts.set(path, text);
    }
    return true;
  });
  return texts;
}

/** One file of an archive as it is, in pieces; null if there is none at this path, or one that is larger. */
export async function readBytes(
  archive: Archive,
  path: string,
  limits: InspectionLimits,
): Promise<Uint8Array[] | null> {
  let found: Uint8Array[] | null = null;
  await throughLinks(archive, new Set([path]), limits, async (member) => {
    found = member.size > limits.textBytes ? null : await piecesOf(member);
    return true;
  });
  return found;
}

/** Calls with the files at these paths, also with those that links lead to, until it returns false. */
async function throughLinks(
  { source, fileName }: Archive,
  wanted: ReadonlySet<string>,
  limits: InspectionLimits,
  take: (member: ArchiveMember, paths: readonly string[]) => Promise<boolean>,
): Promise<void> {
  const links = new Links();
  const left = new Set(wanted);
  try {
    for await (const member of archiveMembers(source, fileName, limits)) {
      if (member.linkTarget !== null) links.add(member.path, member.linkTarget);
      else if (wanted.has(member.path)) {
        left.delete(member.path);
        if (!(await take(member, [member.path]))) return;
      }
    }
    const linked = Map.groupBy(left, (path) => links.resolve(path));
    if ([...left].every((path) => links.resolve(path) === path)) return;
    for await (const member of archiveMembers(source, fileName, limits)) {
      const paths = member.linkTarget === null ? linked.get(member.path) : undefined;
      if (paths !== undefined && !(await take(member, paths))) return;
    }
  } catch (error) {
    if (!(error instanceof UnacceptablePackage)) throw error; // what comes before the damage was read
  }
}

async function piecesOf(member: ArchiveMember): Promise<Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  for await (const piece of member.pieces()) pieces.push(piece);
  return pieces;
}

const textOf = (path: string, bytes: Uint8Array): string | null => {
  const { known, decoded } = fileText(path, bytes);
  return known === "empty" ? "" : (decoded?.text ?? null);
};

/** One text of an archive; null if there is none at this path. */
export async function readText(
  archive: Archive,
  path: string,
  { limits = inspectionLimits, signal }: { limits?: InspectionLimits; signal?: AbortSignal } = {},
): Promise<string | null> {
  return (await readTexts(archive, new Set([path]), new Progress(limits, { signal }))).get(path) ?? null;
}
