import { firstAdministrator } from "../../../identity/sign-in/first-administrator.ts";
import { type PurgeDeps, purgeRepository } from "../../repositories/purge-repository.ts";
import { undeclared } from "./apply-declarations.ts";
import { readDeclarations } from "./read-declarations.ts";

/** Repositories that no file declares: to be listed first, then purged on confirmation. */
export async function undeclaredRepositories(deps: PurgeDeps): Promise<{ list: string[]; purge: () => Promise<void> }> {
  const rows = await undeclared(deps.db, await readDeclarations(deps.settings));
  return {
    list: rows.map(
      ({ name, technology, deleted }) => `${name} (${technology}, ${deleted ? "deleted" : "still there"})`,
    ),
    async purge() {
      const actor = await firstAdministrator(deps);
      if (!actor) throw new Error("there is no active administrator, whose permissions are needed to remove them");
      for (const { technology, id } of rows) await purgeRepository(deps, actor, { technology, id });
    },
  };
}
