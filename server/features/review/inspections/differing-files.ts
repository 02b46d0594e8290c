import type { Inspection, InterfaceEntry } from "@packhouse/contract/review/inspection";

/** Of a wheel that was built from other sources altogether, the first ones say enough. */
const mostFiles = 20;

export interface DifferingFile {
  path: string;
  /** The source has no file of this name. */
  missing: boolean;
  /** Builds write versions and the like into a file: it defines nothing to call and does nothing. */
  isRecord: boolean;
}

/**
 * Python files of a built package that its source does not have in the same form. A source keeps them where it likes:
 * in its top-level folder, in `src/`, or deeper. Of a source that was not examined as a whole, nothing is known to be
 * missing.
 */
export function differingFiles(
  built: Pick<Inspection, "files" | "interface" | "signals">,
  source: Pick<Inspection, "files" | "incomplete">,
): DifferingFile[] {
  if (source.incomplete.length > 0) return [];
  const byName = Map.groupBy(source.files, ({ path }) => nameOf(path));
  return built.files
    .filter(({ path, kind }) => path.endsWith(".py") && kind === "text" && !/\.(dist-info|data)\//.test(path))
    .flatMap(({ path, sha256 }): DifferingFile[] => {
      const same = (byName.get(nameOf(path)) ?? []).filter((its) => its.path === path || its.path.endsWith(`/${path}`));
      return same.some((its) => its.sha256 === sha256)
        ? []
        : [{ path, missing: same.length === 0, isRecord: isRecord(built, path) }];
    })
    .sort((a, b) => Number(a.isRecord) - Number(b.isRecord) || Number(a.missing) - Number(b.missing))
    .slice(0, mostFiles);
}

/** By its name, what it offers, and what was noticed in it. */
function isRecord({ interface: offered, signals }: Pick<Inspection, "interface" | "signals">, path: string): boolean {
  return (
    /version|metadata|build_?info/i.test(nameOf(path)) &&
    !offered.some(({ file, kind }) => file === path && !inert.has(kind)) &&
    !signals.some(({ file }) => file === path)
  );
}
const inert: ReadonlySet<InterfaceEntry["kind"]> = new Set(["constant", "module", "object"]);

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
