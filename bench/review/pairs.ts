import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import type { Signal } from "@packhouse/contract/review/inspection";
import { type SignalLevel, signalLevels } from "@packhouse/contract/review/signals";
import type { Technology } from "@packhouse/contract/technology";
import { bytesOf } from "@packhouse/formats/byte-source";
import { compareArchives, type InspectedArchive } from "@packhouse/inspection/compare-archives";
import { inspect } from "@packhouse/inspection/inspect";
import { inspectionLimits } from "@packhouse/inspection/limits";
import { differingFiles } from "@packhouse/server/features/review/inspections/differing-files";

/** An archive as it is published. */
export interface Archive {
  technology: Technology;
  kind: "source" | "binary";
  fileName: string;
  bytes(): Promise<Uint8Array>;
}

/** A release and the one before it. */
export interface Pair {
  name: string;
  before: Archive;
  after: Archive;
  /** Of a wheel: the sdist of the same release. */
  sdist?: Archive;
}

export const archiveAt = (technology: Technology, path: string): Archive => ({
  technology,
  kind: path.endsWith(".whl") ? "binary" : "source",
  fileName: basename(path),
  bytes: () => readFile(path),
});

/** What alarms a reviewer of the newer release. */
export async function alarmsOf({ before, after, sdist }: Pair): Promise<Signal[]> {
  const [base, release] = [await inspected(before), await inspected(after)];
  const { signals } = await compareArchives(base, release);
  const alarms = signals.fresh.filter(({ level }) => isAlarm(level));
  if (!sdist) return alarms;
  const built = differingFiles(release.inspection, (await inspected(sdist)).inspection);
  const others = built.flatMap(({ path, missing, isRecord }): Signal[] => {
    if (isRecord) return [];
    const level = missing ? "warning" : "danger";
    return [{ id: "wheel-differs-from-sdist", level, subject: sdist.fileName, file: path, line: null, excerpt: null }];
  });
  return [...alarms, ...others];
}

const isAlarm = (level: SignalLevel): boolean => signalLevels.indexOf(level) >= signalLevels.indexOf("warning");

/** What is found does not depend on how busy the machine is; `review-desk` measures the time. */
const limits = { ...inspectionLimits, milliseconds: 600_000 };

async function inspected(archive: Archive): Promise<InspectedArchive> {
  const source = bytesOf(await archive.bytes());
  return { source, fileName: archive.fileName, inspection: await inspect(source, archive, { limits }) };
}
