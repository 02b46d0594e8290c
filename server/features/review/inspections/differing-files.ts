import type { InspectedFile } from "@packhouse/contract/review/inspection";

/** Of a wheel that was built from other sources altogether, the first ones say enough. */
const mostFiles = 20;

export interface DifferingFile {
  path: string;
  /** The source has no file of this name. */
  missing: boolean;
}

/**
 * Python files of a built package that its source does not have in the same form. A source keeps them where it likes:
 * in its top-level folder, in `src/`, or deeper.
 */
export function differingFiles(built: readonly InspectedFile[], source: readonly InspectedFile[]): DifferingFile[] {
  const byName = Map.groupBy(source, ({ path }) => nameOf(path));
  return built
    .filter(({ path, kind }) => path.endsWith(".py") && kind === "text" && !/\.(dist-info|data)\//.test(path))
    .flatMap(({ path, sha256 }): DifferingFile[] => {
      const same = (byName.get(nameOf(path)) ?? []).filter((its) => its.path === path || its.path.endsWith(`/${path}`));
      return same.some((its) => its.sha256 === sha256) ? [] : [{ path, missing: same.length === 0 }];
    })
    .sort((a, b) => Number(a.missing) - Number(b.missing))
    .slice(0, mostFiles);
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
