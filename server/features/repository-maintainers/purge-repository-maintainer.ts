import type { Actor } from "../../http/actor.ts";
import { Refusal } from "../../platform/errors/refusal.ts";
import type { Deps } from "../deps.ts";
import { recordRepositoryMaintainer } from "./record-repository-maintainer.ts";
import { repositoryMaintainers } from "./store.ts";

/** Removes a softly deleted record for good. */
export async function purgeRepositoryMaintainer({ db, clock }: Deps, actor: Actor, id: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const row = await repositoryMaintainers(tx).lock(id);
    if (!row?.deleted) throw new Refusal("error.repositorymaintainer.notfound");
    await repositoryMaintainers(tx).purge(id);
    await recordRepositoryMaintainer(tx, { type: "delete", by: actor, at: clock() }, row);
  });
}
