/** A file of a package, as the choice of a base sees it. */
export interface BaseCandidate {
  id: number;
  /** Sorts as versions are ordered. */
  versionOrder: string;
  kind: "source" | "binary";
  /** What distinguishes binaries of one version: the platform; of wheels the file name. */
  target: string;
}

/**
 * The accepted file that a waiting one is compared with: of the newest version below it that has something to compare
 * it with, or else of the newest version there is. A replacement is compared with what it replaces.
 */
export function chooseBase<Candidate extends BaseCandidate>(
  own: BaseCandidate & { replacesId: number | null },
  accepted: readonly Candidate[],
): Candidate | undefined {
  const replaced = accepted.find(({ id }) => id === own.replacesId);
  if (replaced) return replaced;
  const others = accepted.filter(({ id, versionOrder }) => id !== own.id && versionOrder !== own.versionOrder);
  const below = others.filter(({ versionOrder }) => versionOrder < own.versionOrder);
  // A source is built from no binary: its base is an older source, if there is one.
  const sources = below.filter(({ kind }) => kind === "source");
  return (
    closest(own, newestOf(own.kind === "source" && sources.length > 0 ? sources : below)) ??
    closest(own, newestOf(others))
  );
}

function newestOf<Candidate extends BaseCandidate>(files: readonly Candidate[]): Candidate[] {
  const newest = files.reduce((last, { versionOrder }) => (versionOrder > last ? versionOrder : last), "");
  return files.filter(({ versionOrder }) => versionOrder === newest);
}

/** The file most like it, among those of one version; the first of equals. */
function closest<Candidate extends BaseCandidate>(
  own: BaseCandidate,
  files: readonly Candidate[],
): Candidate | undefined {
  const distance = (file: Candidate) =>
    file.kind !== own.kind ? 2 : platformOf(file.target) === platformOf(own.target) ? 0 : 1;
  return [...files].sort((a, b) => distance(a) - distance(b) || a.id - b.id)[0];
}

/** The tags at the end of a wheel's name; other binaries are distinguished by the platform alone. */
const platformOf = (target: string): string =>
  target.endsWith(".whl") ? target.split("-").slice(-3).join("-") : target;
