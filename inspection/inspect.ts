import type { Inspection } from "@packhouse/contract/review/inspection";
import type { Technology } from "@packhouse/contract/technology";
import type { ByteSource } from "@packhouse/formats/byte-source";
import { UnacceptablePackage } from "@packhouse/formats/unacceptable-package";
import { inspectorVersion } from "./inspector-version.ts";
import { inspectors } from "./inspectors.ts";
import { type InspectionLimits, inspectionLimits } from "./limits.ts";
import { isNews, sharedIndicators } from "./metadata/indicators.ts";
import { metadataReaders } from "./metadata/metadata-readers.ts";
import type { PackageMetadata } from "./metadata/package-metadata.ts";
import { type Ends, Progress } from "./reading/progress.ts";
import { type Reading, readArchive } from "./reading/read-archive.ts";
import { SignalCollector } from "./reading/signal-collector.ts";
import { signalOf } from "./signal.ts";
import type { TechnologyInspector } from "./technology-inspector.ts";

export interface InspectedPackage {
  technology: Technology;
  fileName: string;
  kind: "source" | "binary";
}

export interface InspectionOptions extends Ends {
  limits?: InspectionLimits;
  /** In milliseconds since 1970; now if missing. */
  now?: number;
}

/**
 * What an archive consists of. It never throws for what is in the archive: what could not be examined is listed. Only a
 * source that cannot be read throws.
 */
export const inspect = (
  source: ByteSource,
  what: InspectedPackage,
  options: InspectionOptions = {},
): Promise<Inspection> =>
  inspectors[what.technology]((inspector) => inspectWith(inspector, { source, ...what }, options));

/** The same with a given inspector for the code. */
export async function inspectWith<Facts>(
  inspector: TechnologyInspector<Facts>,
  { source, technology, fileName, kind }: InspectedPackage & { source: ByteSource },
  { limits = inspectionLimits, now = Date.now(), ...ends }: InspectionOptions = {},
): Promise<Inspection> {
  const progress = new Progress(limits, ends);
  const signals = new SignalCollector(progress, now);
  const reader = metadataReaders[technology];
  const { isMetadata } = reader;
  const reading = await readArchive({ source, fileName, inspector, isMetadata, isKept: isNews, progress, signals });
  const metadata = metadataOf(reading, () => reader.read(reading.kept), progress);
  const { name, version } = reader.named(fileName);
  const named = { ...metadata, name: metadata.name || name, version: metadata.version || version };
  const code = finish(inspector, { ...named, kind, fileName, ...reading }, progress);
  for (const { id, file } of code.signals) if (id === "incomplete") progress.leaveOut("size", file ?? undefined);
  signals.add(code.signals.filter(({ id }) => id !== "incomplete"));
  const ownIndicators = new Set(code.indicators.map(({ id }) => id));
  const shared = sharedIndicators({ technology, kind, metadata: named, files: reading.files, texts: reading.texts });
  if (code.interface.length > limits.interfaceEntries) progress.leaveOut("signals");
  return {
    inspector: inspectorVersion,
    technology,
    name: named.name,
    version: named.version,
    files: reading.files,
    fields: metadata.fields,
    spdx: metadata.spdx,
    dependencies: [...metadata.dependencies, ...(code.dependencies ?? [])],
    interface: code.interface.slice(0, limits.interfaceEntries),
    signals: [...incompleteSignals(progress.incomplete), ...signals.signals],
    indicators: [...code.indicators, ...shared.filter(({ id }) => !ownIndicators.has(id))],
    incomplete: progress.incomplete,
  };
}

const noMetadata: PackageMetadata = { name: "", version: "", fields: [], spdx: null, dependencies: [] };

function metadataOf(reading: Reading<unknown>, read: () => PackageMetadata, progress: Progress): PackageMetadata {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof UnacceptablePackage)) throw error;
    // An archive that could not be read to its end has already been reported.
    if (progress.incomplete.length === 0) progress.leaveOut("unreadable", [...reading.kept.keys()][0]);
    return noMetadata;
  }
}

function finish<Facts>(
  inspector: TechnologyInspector<Facts>,
  archive: Parameters<TechnologyInspector<Facts>["finish"]>[0],
  progress: Progress,
): ReturnType<TechnologyInspector<Facts>["finish"]> {
  try {
    return inspector.finish(archive);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    progress.leaveOut("unreadable");
    return { interface: [], signals: [], indicators: [] };
  }
}

const incompleteSignals = (incomplete: Inspection["incomplete"]) =>
  incomplete.map(({ reason, paths }) =>
    signalOf("incomplete", {
      subject: reason,
      file: paths[0] ?? null,
      excerpt: paths.length > 1 ? paths.join(", ") : null,
    }),
  );
