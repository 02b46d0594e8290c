import { may } from "@packhouse/contract/permissions";
import { type Actor, relationTo } from "../../http/actor.ts";
import type { Tx } from "../../platform/db/database.ts";
import { lockUser } from "../../platform/db/transactions/lock-user.ts";
import { Refusal } from "../../platform/errors/refusal.ts";
import { securityLog } from "../../platform/event-log/security-log.ts";
import { accounts } from "../accounts/account-store.ts";
import type { IdentityDeps } from "../deps.ts";
import { secondFactors } from "./store.ts";

/** Removes all factors of a user who lost them: it is up to the administrator to verify the user's identity. */
export async function resetSecondFactors(
  { db, clock }: Pick<IdentityDeps, "db" | "clock">,
  actor: Actor,
  id: number,
  address: string,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const user = await accounts(tx).byId(id);
    if (!user) throw new Refusal("user.notfound");
    if (!may("resetSecondFactors", actor, relationTo(actor, { ownerId: id }))) throw new Refusal("user.not.authorized");
    await takeAwayFactors(tx, user, clock(), { by: actor, address });
  });
}

/** Returns the number of removed factors. Open sessions end: the lost device may hold some. */
export async function takeAwayFactors(
  tx: Tx,
  user: { id: number },
  at: Date,
  { by, address }: { by: { id: number } | undefined; address?: string },
): Promise<number> {
  await lockUser(tx, user.id);
  const removed = await secondFactors(tx).removeAll(user.id);
  if (removed === 0) return 0;
  await accounts(tx).endSessions(user.id);
  await securityLog(tx, at).secondFactorChange({ account: user, by, address, detail: "reset" });
  return removed;
}
