import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stringify } from "yaml";

/** A folder of declarations, as an operator would write it. */
export interface DeclarationFolder extends AsyncDisposable {
  path: string;
  /** Writes an object as YAML, or a text as it is. Missing addresses are made up. */
  declare(name: string, content: Record<string, unknown> | string): Promise<void>;
  withdraw(name: string): Promise<void>;
}

export async function declarationFolder(): Promise<DeclarationFolder> {
  const path = await mkdtemp(join(tmpdir(), "packhouse-declared-"));
  const fileOf = (name: string) => join(path, `${name}.repository.yaml`);
  return {
    path,
    async declare(name, content) {
      const standard = {
        name,
        publicationUri: `https://packages.example.org/repo/${name}`,
        serverAddress: `https://packages.example.org/repo/${name}`,
        requiresAuthentication: false,
      };
      await writeFile(fileOf(name), typeof content === "string" ? content : stringify({ ...standard, ...content }));
    },
    withdraw: (name) => rm(fileOf(name)),
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}
