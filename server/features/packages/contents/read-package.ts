import type { Technology } from "@packhouse/contract/technology";
import { documentationReader } from "@packhouse/formats/documentation";
import { formatOf } from "@packhouse/formats/format";
import type { PackageFile, ReadLimits } from "@packhouse/formats/package-file";
import type { BinaryRequest } from "@packhouse/formats/r/binary-target";
import { sourceOf, type TaskContext } from "../../../platform/workers/task.ts";
import type { PackageFacts } from "./package-facts.ts";
import { factsFrom, readFacts } from "./read-facts.ts";

/** Reads and checks an upload, with what pages show of it. A worker task. */
export async function readPackage(
  input: {
    technology: Technology;
    fileName: string;
    limits: ReadLimits;
    binary: BinaryRequest | undefined;
    mirrored: boolean;
  },
  context: TaskContext,
): Promise<{ file: PackageFile; facts: PackageFacts; dependencyNames: string[] }> {
  const { technology, fileName, limits, binary, mirrored } = input;
  const format = formatOf(technology);
  const source = sourceOf(context);
  // In one pass: large archives take long to unpack.
  const further = documentationReader(technology, binary ? "binary" : "source");
  const file = await format.readPackage(source, fileName, { limits, binary, mirrored, further });
  const described = { ...file, fileName, metadata: { ...file.metadata } };
  const facts = further ? factsFrom(described, further.found) : await readFacts(source, described);
  return {
    file,
    facts,
    dependencyNames: [...new Set(facts.dependencies.map(({ name }) => format.normalizeName(name)))],
  };
}
