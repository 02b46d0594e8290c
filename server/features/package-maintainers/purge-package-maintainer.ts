import type { Actor } from "../../http/actor.ts";
import { Refusal } from "../../platform/errors/refusal.ts";
import type { Deps } from "../deps.ts";
import { recordPackageMaintainer } from "./record-package-maintainer.ts";
import { packageMaintainers } from "./store.ts";

/** Removes a softly deleted record for good. */
export async function purgePackageMaintainer({ db, clock }: Deps, actor: Actor, id: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const row = await packageMaintainers(tx).lock(id);
    if (!row?.deleted) throw new Refusal("error.packagemaintainer.notfound");
    await packageMaintainers(tx).purge(id);
    await recordPackageMaintainer(tx, { type: "delete", by: actor, at: clock() }, row);
  });
}
