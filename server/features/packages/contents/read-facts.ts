import type { Technology } from "@packhouse/contract/technology";
import { archiveFiles } from "@packhouse/formats/archive/files";
import type { ByteSource } from "@packhouse/formats/byte-source";
import { formatOf } from "@packhouse/formats/format";
import { defaultLimits } from "@packhouse/formats/package-file";
import { listVignettes } from "@packhouse/formats/r/vignettes";
import type { TaskContext } from "../../../platform/workers/task.ts";
import { longestFact, mostDependencies, mostVignettes, type PackageFacts } from "./package-facts.ts";

/** A package that was found good, as its records have it. */
export interface FactsInput {
  technology: Technology;
  kind: "source" | "binary";
  fileName: string;
  metadata: Readonly<Record<string, unknown>>;
  description: string | null;
  descriptionContentType: string;
}

const longestReadme = 4 * 1024 * 1024;

/** Runs in a worker: everything here reads what a user sent. Without bytes the facts are those of the records. */
export async function readFacts(source: ByteSource | undefined, it: FactsInput): Promise<PackageFacts> {
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
  const archive = it.technology === "R" ? source : undefined;
  if (it.technology === "R" && !archive) incomplete.add("vignettes").add("readme");
  const vignettes = archive ? await listVignettes({ source: archive, fileName: it.fileName, kind: it.kind }) : [];
  return {
    dependencies: bounded(
      dependencies.map(({ kind, name, constraint, condition }) => ({ kind, name, constraint, condition })),
      mostDependencies,
      "dependencies",
    ),
    vignettes: bounded(vignettes, mostVignettes, "vignettes"),
    readme: archive ? await readmeOf(archive, it.fileName) : longDescription(it),
    incomplete: [...incomplete],
  };
}

function longDescription({ technology, description, descriptionContentType }: FactsInput): PackageFacts["readme"] {
  if (technology === "R" || !description) return null;
  return { kind: descriptionContentType, bytes: Buffer.byteLength(description) };
}

async function readmeOf(source: ByteSource, fileName: string): Promise<PackageFacts["readme"]> {
  const isReadme = (segments: readonly string[]) => segments.length === 2 && /^README(\.md)?$/.test(segments[1] ?? "");
  for await (const { segments, content } of archiveFiles(source, fileName, isReadme, defaultLimits)) {
    const bytes = (await content(longestReadme)).byteLength;
    return { kind: segments[1]?.endsWith(".md") ? "text/markdown" : "text/plain", bytes };
  }
  return null;
}

/** The task of a worker. */
export const factsOf = (input: FactsInput, { source }: TaskContext): Promise<PackageFacts> => readFacts(source, input);
