import type { Actor } from "../../http/actor.ts";
import { Refusal } from "../../platform/errors/refusal.ts";
import type { Deps } from "../deps.ts";
import { recordMaintainer } from "./record-maintainer.ts";
import type { MaintainerScope } from "./scopes.ts";

/** Removes a soft-deleted record permanently. */
export async function purgeMaintainer(
  scope: MaintainerScope,
  { db, clock }: Deps,
  actor: Actor,
  id: number,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const store = scope.store(tx);
    const row = await store.lock(id);
    if (!row?.deleted) throw new Refusal(scope.notFound);
    await store.purge(id);
    await recordMaintainer(scope, tx, { type: "delete", by: actor, at: clock() }, row);
  });
}
