import type { FileDiff } from "@packhouse/contract/review/comparison";
import type { InspectedFile } from "@packhouse/contract/review/inspection";
import { Refusal } from "../../../platform/errors/refusal.ts";
import type { ObjectStorage } from "../../../platform/storage/storage.ts";
import type { Workers } from "../../../platform/workers/pool.ts";
import { largestMember, largestText } from "./archive-limits.ts";
import type { Inspections } from "./create-inspections.ts";
import type { InspectedPackage } from "./inspection-store.ts";
import { readDifferenceTask, readMemberBytesTask, readMemberTask } from "./inspection-tasks.ts";

interface Context {
  inspections: Inspections;
  storage: ObjectStorage;
  workers: Workers;
}

export interface WantedDifference {
  it: InspectedPackage;
  base: InspectedPackage | undefined;
  path: string;
  ignoresWhitespace: boolean;
  whose: number;
}

/** How one file differs from its base, where it may have had another name. */
export async function readFileDifference(
  { inspections, storage, workers }: Context,
  { it, base, path, ignoresWhitespace, whose }: WantedDifference,
): Promise<FileDiff> {
  const [inspected, files] = await Promise.all([
    inspections.inspection(it, whose),
    base && inspections.inspection(base, whose),
  ]);
  const own = inspected.files.find((file) => file.path === path);
  const change = base && (await inspections.fileChange(it, base, { path, whose }));
  const previousPath = change?.previousPath ?? path;
  const previous = files?.files.find((file) => file.path === previousPath);
  if (!own && !previous) throw new Refusal("error.member.not.found");
  const shown = { path, previousPath: previousPath === path ? null : previousPath, hunks: [] };
  const unread = [own, previous].map((file) => file && unreadable(file));
  const state = unread.includes("binary") ? "binary" : unread.includes("large") ? "large" : undefined;
  if (state) return { ...shown, state, linesBefore: previous?.lines ?? 0, linesAfter: own?.lines ?? 0 };

  const sides = [...(own ? [it] : []), ...(previous && base ? [base] : [])];
  const [source, ...others] = await Promise.all(sides.map(({ digest }) => storage.source(digest)));
  return workers.run(
    readDifferenceTask,
    {
      before: previous && base ? { fileName: base.fileName, path: previousPath } : null,
      after: own ? { fileName: it.fileName, path } : null,
      ignoresWhitespace,
    },
    { source, others, whose },
  );
}

type WantedMember = Pick<WantedDifference, "it" | "path" | "whose">;

/** A file that is in an archive; undefined for one that may be among what was not examined. */
async function listedMember(
  { inspections }: Pick<Context, "inspections">,
  { it, path, whose }: WantedMember,
): Promise<InspectedFile | undefined> {
  const { files, incomplete } = await inspections.inspection(it, whose);
  const file = files.find((one) => one.path === path);
  if (!file && incomplete.length === 0) throw new Refusal("error.member.not.found");
  return file;
}

/** One file of an archive as it is. */
export async function readMemberBytes(context: Context, wanted: WantedMember): Promise<Buffer> {
  const { it, path, whose } = wanted;
  const file = await listedMember(context, wanted);
  if (file && file.size > largestMember) throw new Refusal("member.too.large");
  const source = await context.storage.source(it.digest);
  const pieces: Uint8Array[] = [];
  const onPiece = (bytes: Uint8Array) => void pieces.push(bytes);
  const input = { fileName: it.fileName, path };
  if (!(await context.workers.run(readMemberBytesTask, input, { source, whose, onPiece })))
    throw new Refusal("error.member.not.found");
  return Buffer.concat(pieces);
}

/** One file of an archive as text. */
export async function readMemberText(context: Context, wanted: WantedMember): Promise<string> {
  const { storage, workers } = context;
  const { it, path, whose } = wanted;
  const file = await listedMember(context, wanted);
  const problem = file && unreadable(file);
  if (problem === "large") throw new Refusal("member.too.large");
  if (problem === "binary") throw new Refusal("member.not.text");
  const source = await storage.source(it.digest);
  const text = await workers.run(readMemberTask, { fileName: it.fileName, path }, { source, whose });
  if (text === null) throw new Refusal("error.member.not.found");
  return text;
}

const unreadable = ({ kind, size }: InspectedFile): "binary" | "large" | undefined =>
  kind !== "text" && kind !== "empty" ? "binary" : size > largestText ? "large" : undefined;
