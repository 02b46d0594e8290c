import type { Technology } from "@packhouse/contract/technology";
import type { ByteSource } from "@packhouse/formats/byte-source";
import { type Documentation, readDocumentationOf } from "@packhouse/formats/documentation";
import { formatOf } from "@packhouse/formats/format";
import type { TaskContext } from "../../../platform/workers/task.ts";
import { longestFact, mostDependencies, mostVignettes, type PackageFacts } from "./package-facts.ts";

/** A valid package, as its records have it. */
export interface FactsInput {
  technology: Technology;
  kind: "source" | "binary";
  fileName: string;
  metadata: Readonly<Record<string, unknown>>;
  description: string | null;
  descriptionContentType: string;
}

/** Runs in a worker: everything here reads what a user uploaded. Without bytes the facts come from the records. */
export const readFacts = async (source: ByteSource | undefined, it: FactsInput): Promise<PackageFacts> =>
  factsFrom(it, await readDocumentationOf(it.technology, { ...it, source }));

/** The same with documentation that has been read already. */
export function factsFrom(it: FactsInput, { vignettes, readme, incomplete: unread }: Documentation): PackageFacts {
  const incomplete = new Set<PackageFacts["incomplete"][number]>();
  const bounded = <Entry extends object>(
    entries: readonly Entry[],
    most: number,
    what: "dependencies" | "vignettes",
  ) => {
    const kept = entries.filter((entry) => Object.values(entry).every((text) => String(text).length <= longestFact));
    if (kept.length < entries.length || kept.length > most) incomplete.add(what);
    return kept.slice(0, most);
  };
  const dependencies = formatOf(it.technology).dependencies.read(it.metadata);
  for (const what of unread) incomplete.add(what);
  return {
    dependencies: bounded(
      dependencies.map(({ kind, name, constraint, condition }) => ({ kind, name, constraint, condition })),
      mostDependencies,
      "dependencies",
    ),
    vignettes: bounded(vignettes, mostVignettes, "vignettes"),
    readme,
    incomplete: [...incomplete],
  };
}

/** A worker task. */
export const factsOf = (input: FactsInput, { source }: TaskContext): Promise<PackageFacts> => readFacts(source, input);
