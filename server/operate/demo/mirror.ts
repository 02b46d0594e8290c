import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Packhouse } from "../../app/app.ts";
import { applyDeclarations } from "../../features/mirrors/declarations/apply-declarations.ts";
import { readDeclarations } from "../../features/mirrors/declarations/read-declarations.ts";
import { editRepository } from "../../features/repositories/edit-repository.ts";
import { firstAdministrator } from "../../identity/sign-in/first-administrator.ts";
import { demoStore } from "./store.ts";

/** A site of the organization mirrors another repository of the demo, so that no network is needed. */
const name = "stats-south";
const upstream = "stats-release";

/** Where the demo declares its mirror. */
export const declarationsIn = (dataDir: string): string => join(dataDir, "declarations");

/** Declares the mirror; before each start, because the port may be another one. */
export async function declareMirror(dataDir: string, address: string): Promise<void> {
  await mkdir(declarationsIn(dataDir), { recursive: true });
  await writeFile(
    join(declarationsIn(dataDir), `${name}-repository.yaml`),
    `# The orchards in the south mirror what is released, but have a seed bank of their own.
name: ${name}
technology: R
publicationUri: ${address}/repo/${name}
serverAddress: ${address}/repo/${name}
requiresAuthentication: false
reservedNames: ["seed*"]
mirrors:
  - name: headquarters
    uri: ${address}/repo/${upstream}
    syncInterval: "0 0 5 * * *"
    packages: all
`,
  );
}

/** Creates the declared repository and publishes it. */
export async function openMirror({ deps, mirroring }: Packhouse): Promise<void> {
  await applyDeclarations(deps, await readDeclarations(deps.settings));
  await mirroring.start();
  const administrator = await firstAdministrator(deps);
  if (!administrator) throw new Error("the demo has no administrator");
  await editRepository(deps, administrator, { technology: "R", id: await demoStore(deps.db).repository(name) }, [
    { op: "replace", path: "/published", value: true },
  ]);
}

/** Fetches what the mirror is to have; once the server listens, because it fetches from itself. */
export async function fillMirror({ deps, mirroring }: Packhouse): Promise<void> {
  await mirroring.request(await demoStore(deps.db).repository(name));
}
