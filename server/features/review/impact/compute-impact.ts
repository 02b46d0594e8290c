import type { Impact } from "@packhouse/contract/review/impact";
import type { Technology } from "@packhouse/contract/technology";
import { formatOf } from "@packhouse/formats/format";
import type { Dependent, OfferedFile } from "./impact-store.ts";
import { type Installation, installations } from "./installation.ts";

export interface ImpactInput {
  technology: Technology;
  repositoryId: number;
  /** The files of the release, as they will be once it is accepted. */
  release: readonly OfferedFile[];
  /** Active files of the same name, in all repositories that the caller may read. */
  files: readonly OfferedFile[];
  /** Those that the release replaces. */
  replaced: readonly number[];
  dependents: readonly Dependent[];
}

const mostShown = 200;
/** Versions that are compared with constraints; real packages need some thousands. */
const mostComparisons = 200_000;

/** What clients resolve before and after. Runs in a worker: constraints are parsed as users wrote them. */
export function computeImpact(input: ImpactInput): Pick<Impact, "installs" | "dependents" | "wouldBreak" | "archived"> {
  const { technology, repositoryId, release } = input;
  const installation = installations[technology];
  const here = input.files.filter((file) => file.repositoryId === repositoryId);
  const before = newestFirst(technology, here);
  const after = newestFirst(technology, [...here.filter(({ id }) => !input.replaced.includes(id)), ...release]);
  const dependents = compareDependents(input, installation, { before, after });
  return {
    installs: installsOf(installation, release, { before, after }),
    dependents: dependents.slice(0, mostShown),
    wouldBreak: dependents.filter(breaks).length,
    archived: installation.archived(before, release),
  };
}

interface Offers {
  before: readonly OfferedFile[];
  after: readonly OfferedFile[];
}

const newestFirst = (technology: Technology, files: readonly OfferedFile[]): OfferedFile[] => {
  const { compareVersions } = formatOf(technology);
  return files.toSorted((a, b) => compareVersions(b.version, a.version));
};

/** One row for each range of the language's versions that get the same. */
function installsOf(
  installation: Installation,
  release: readonly OfferedFile[],
  { before, after }: Offers,
): Impact["installs"] {
  const rows: (Impact["installs"][number] & { from: string; to: string })[] = [];
  const languages = installation.languagesOf(release);
  for (const language of languages) {
    const [then, now] = [
      installation.installed(before, language, release),
      installation.installed(after, language, release),
    ];
    const last = rows.at(-1);
    if (last && last.before === then && last.after === now) last.to = language;
    else rows.push({ languageVersions: "", before: then, after: now, from: language, to: language });
  }
  return rows.map(({ before, after, from, to }) => ({
    languageVersions: rows.length === 1 && languages.length > 1 ? "" : from === to ? from : `${from} to ${to}`,
    before,
    after,
  }));
}

const breaks = ({ before, after }: Impact["dependents"][number]): boolean =>
  before === "satisfied" && after === "unsatisfied";

function compareDependents(input: ImpactInput, installation: Installation, offers: Offers): Impact["dependents"] {
  const { technology, repositoryId, files, dependents } = input;
  const { dependencies } = formatOf(technology);
  const elsewhere = Map.groupBy(files, (file) => file.repositoryId);
  const versions = { before: new Map<number, readonly string[]>(), after: new Map<number, readonly string[]>() };
  /** What a repository's clients choose from: its own versions, and those of this one. */
  const offered = (when: "before" | "after", repository: number): readonly string[] => {
    const known = versions[when].get(repository);
    if (known) return known;
    const others = repository === repositoryId ? [] : (elsewhere.get(repository) ?? []);
    const found = installation.offered(newestFirst(technology, [...offers[when], ...others]));
    versions[when].set(repository, found);
    return found;
  };
  let compared = 0;
  const rows = dependents.flatMap((one): Impact["dependents"] => {
    const [before, after] = [offered("before", one.repositoryId), offered("after", one.repositoryId)];
    compared += (before.length + after.length) * (1 + Math.floor(one.constraint.length / 20));
    if (compared > mostComparisons) return [];
    const state = (those: readonly string[]) =>
      those.some((version) => dependencies.satisfies(version, one.constraint)) ? "satisfied" : "unsatisfied";
    return [
      {
        packageId: one.id,
        name: one.name,
        version: one.version,
        repository: one.repository,
        technology,
        field: installation.fieldOf(one.kind, one.condition),
        constraint: one.constraint,
        before: state(before),
        after: state(after),
      },
    ];
  });
  const rank = (it: Impact["dependents"][number]) =>
    breaks(it) ? 0 : it.before !== it.after ? 1 : it.after === "unsatisfied" ? 2 : 3;
  return rows.sort((a, b) => rank(a) - rank(b));
}
