import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse as parseYaml } from "yaml";
import { OperatorError } from "../../../platform/errors/operator-error.ts";
import type { Settings } from "../../../platform/settings/settings.ts";
import { brokenRules } from "../../repositories/repository.ts";
import { type Declaration, readDeclaration } from "../records/declaration.ts";

/** Wrong declarations, each with its file; they end the start before anything is changed. */
export class WrongDeclarations extends OperatorError {
  constructor(problems: readonly string[]) {
    super(`Invalid repository declarations:\n${problems.map((problem) => `  ${problem}`).join("\n")}`);
  }
}

type DeclarationSettings = Pick<Settings, "declarative.enabled" | "declarative.paths">;

/** Reads every declaration of the settings' folders. Throws `WrongDeclarations` with all problems. */
export async function readDeclarations(settings: DeclarationSettings): Promise<Declaration[]> {
  const problems: string[] = [];
  const declarations: Declaration[] = [];
  for (const folder of settings["declarative.paths"])
    for (const path of await filesOf(folder, problems)) {
      const declaration = await readOne(path, problems);
      if (declaration) declarations.push(declaration);
    }
  // An empty folder is more likely a failed mount than the intention to take everything offline.
  if (settings["declarative.enabled"] && declarations.length === 0 && problems.length === 0)
    problems.push(
      "declarative.paths: there is no file …repository.yaml, so declarative.enabled would delete all repositories",
    );
  problems.push(...conflicts(declarations));
  if (problems.length > 0) throw new WrongDeclarations(problems);
  return declarations;
}

async function filesOf(folder: string, problems: string[]): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries
      .filter((entry) => !entry.isDirectory() && /repository\.ya?ml$/.test(entry.name))
      .map(({ name }) => join(folder, name))
      .sort();
  } catch (error) {
    problems.push(`${folder}: cannot be read: ${reasonOf(error)}`);
    return [];
  }
}

async function readOne(path: string, problems: string[]): Promise<Declaration | undefined> {
  try {
    const read = readDeclaration(path, parseYaml(await readFile(path, "utf8")));
    if (!Array.isArray(read)) return read;
    problems.push(...read.map((problem) => `${path}: ${problem}`));
  } catch (error) {
    problems.push(`${path}: cannot be read as YAML: ${reasonOf(error)}`);
  }
  return undefined;
}

/** What is wrong with each, given those before it; conflicts with the database are found later. */
function conflicts(declarations: readonly Declaration[]): string[] {
  return declarations.flatMap(({ path, technology, properties }, index) => {
    const before = declarations.slice(0, index);
    const taken = {
      name: before.some((it) => it.properties.name === properties.name),
      publicationUri: before.some((it) => it.properties.publicationUri === properties.publicationUri),
      serverAddress: before.some(
        (it) => it.technology === technology && it.properties.serverAddress === properties.serverAddress,
      ),
    };
    return brokenRules(technology, properties, taken).map((code) => `${path}: ${code}`);
  });
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : "unknown reason");
