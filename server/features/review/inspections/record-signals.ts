import type { Inspection, Signal } from "@packhouse/contract/review/inspection";
import { type SignalId, type SignalLevel, type SignalRule, signalRules } from "@packhouse/contract/review/signals";
import { formatOf } from "@packhouse/formats/format";
import { isOneEditFrom } from "@packhouse/formats/similar-name";
import { wellKnownPackages } from "@packhouse/formats/well-known-packages";
import type { Db } from "../../../platform/db/database.ts";
import type { Settings } from "../../../platform/settings/settings.ts";
import { differingFiles } from "./differing-files.ts";
import { type InspectedPackage, inspectionStore } from "./inspection-store.ts";
import { knownNamesStore, provenanceStore } from "./provenance-store.ts";

interface Context {
  db: Db;
  settings: Pick<Settings, "readRights">;
  inspection(it: InspectedPackage, whose: number): Promise<Inspection>;
}

/** What the records know about a release: the signals that no archive shows on its own. */
export async function recordSignals(
  { db, settings, inspection }: Context,
  it: InspectedPackage,
  base: InspectedPackage | undefined,
  whose: number,
): Promise<Signal[]> {
  const [provenance, source] = await Promise.all([
    provenanceStore(db).of(it),
    it.kind === "binary" ? inspectionStore(db).sourceOf(it) : undefined,
  ]);
  const similar = provenance.known ? [] : await similarNames(db, settings, it);
  const signal = (id: SignalId, subject: string, more: Partial<Pick<Signal, "level" | "file">> = {}): Signal => {
    const rule: SignalRule = signalRules[id];
    const level = base || rule.dangerousAlone ? rule.level : atMostNotice(rule.level);
    return { id, level, subject, file: null, line: null, excerpt: null, ...more };
  };
  return [
    ...(provenance.returns ? [signal("version-returns", it.version)] : []),
    ...(source ? await againstSource(source) : []),
    ...similar.map((name) => signal("similar-name", name)),
    ...(provenance.newest !== null ? [signal("version-lower", provenance.newest)] : []),
    ...(provenance.first && it.mirror === null ? [signal("first-submission", it.submitter)] : []),
  ];

  async function againstSource(its: InspectedPackage): Promise<Signal[]> {
    const rule: SignalRule = signalRules["wheel-differs-from-sdist"];
    if (rule.technology !== it.technology) return [];
    const [built, from] = await Promise.all([inspection(it, whose), inspection(its, whose)]);
    return differingFiles(built, from).map(({ path, missing, isRecord }) =>
      signal("wheel-differs-from-sdist", its.fileName, {
        file: path,
        // Builds write files of their own; they rarely change those that are there.
        level: isRecord ? "notice" : missing ? "warning" : rule.level,
      }),
    );
  }
}

const atMostNotice = (level: SignalLevel): SignalLevel => (level === "info" ? "info" : "notice");

/**
 * Names that someone may take this one for: of packages here, where those of restricted repositories stay in them, and
 * of those that many use, wherever they come from.
 */
async function similarNames(db: Db, settings: Pick<Settings, "readRights">, it: InspectedPackage): Promise<string[]> {
  const restricted = settings.readRights.map(({ repository }) => repository).filter((name) => name !== it.repository);
  const here = await knownNamesStore(db).near(it, restricted);
  const names = new Set([...here, ...wellKnownNames(it)]);
  return [...names].filter((name) => isOneEditFrom(it.normalizedName, name)).slice(0, mostSimilarNames);
}

/** None for a package that is one of them. */
function wellKnownNames({ technology, normalizedName }: InspectedPackage): string[] {
  const names = wellKnownPackages[technology].map((name) => formatOf(technology).normalizeName(name));
  return names.includes(normalizedName) ? [] : names;
}
const mostSimilarNames = 5;
