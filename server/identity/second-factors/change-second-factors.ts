import { may } from "@packhouse/contract/permissions";
import { secondFactor as secondFactorShape } from "@packhouse/contract/second-factors";
import { z } from "zod";
import { type Actor, relationTo } from "../../http/actor.ts";
import { type PatchOperation, patched } from "../../http/patch/json-patch.ts";
import type { Tx } from "../../platform/db/database.ts";
import { lockUser } from "../../platform/db/transactions/lock-user.ts";
import { invalid, Refusal } from "../../platform/errors/refusal.ts";
import { securityLog } from "../../platform/event-log/security-log.ts";
import type { IdentityDeps } from "../deps.ts";
import { confirmPassword } from "../passwords/confirm-password.ts";
import { isRequired } from "./demand-second-factor.ts";
import { secondFactorBody } from "./present-second-factors.ts";
import { hashOfRecoveryCode, newRecoveryCodes } from "./recovery-codes.ts";
import { factorName, mayNotRemove } from "./second-factor.ts";
import { type SecondFactor, secondFactors } from "./store.ts";

type ChangeDeps = Pick<IdentityDeps, "db" | "clock" | "settings">;

const shape = z.strictObject(secondFactorShape.shape);

/** Renames a factor. This is not security-relevant, so it writes no event. */
export function renameSecondFactor(
  { db, workers }: Pick<IdentityDeps, "db" | "workers">,
  actor: Actor,
  id: number,
  operations: readonly PatchOperation[],
): Promise<SecondFactor> {
  return db.transaction().execute(async (tx) => {
    await lockUser(tx, actor.id);
    const before = await owned(tx, actor, id);
    const item = secondFactorBody(before);
    const after = await patched(workers, shape, item, operations);
    const fixed = (["id", "kind", "createdOn", "lastUsedOn"] as const).filter((name) => after[name] !== item[name]);
    if (fixed.length > 0) throw invalid(fixed.map(() => "forbidden.update"));
    const name = factorName(after.name);
    if (name === undefined) throw invalid(["second.factor.name.invalid"]);
    if (name === before.name) return before;
    await secondFactors(tx).rename(id, name);
    return { ...before, name };
  });
}

/** Removes a factor after confirming the password. The last one stays if the role requires one. */
export async function removeSecondFactor(
  deps: ChangeDeps,
  actor: Actor,
  id: number,
  proof: { password: string; address: string },
): Promise<void> {
  await owned(deps.db, actor, id);
  await confirmPassword(deps, actor, proof.password, proof.address);
  await deps.db.transaction().execute(async (tx) => {
    await lockUser(tx, actor.id);
    const factor = await owned(tx, actor, id);
    const store = secondFactors(tx);
    const present = (await store.of(actor.id)).length;
    const codes = mayNotRemove(present, isRequired(deps.settings, actor.role));
    if (codes.length > 0) throw invalid(codes);
    await store.remove(id);
    // Recovery codes only make sense while there is a factor.
    if (present === 1) await store.replaceRecoveryCodes(actor.id, [], deps.clock());
    const { address } = proof;
    await securityLog(tx, deps.clock()).secondFactorChange({
      account: actor,
      by: actor,
      address,
      detail: "removed",
      factor: factor.name,
    });
  });
}

/** Creates new recovery codes after confirming the password; earlier ones become invalid. */
export async function replaceRecoveryCodes(
  deps: ChangeDeps,
  actor: Actor,
  proof: { password: string; address: string },
): Promise<string[]> {
  await confirmPassword(deps, actor, proof.password, proof.address);
  const codes = newRecoveryCodes();
  await deps.db.transaction().execute(async (tx) => {
    await lockUser(tx, actor.id);
    const store = secondFactors(tx);
    if ((await store.of(actor.id)).length === 0) throw invalid(["second.factor.none"]);
    await store.replaceRecoveryCodes(actor.id, codes.map(hashOfRecoveryCode), deps.clock());
    const { address } = proof;
    await securityLog(tx, deps.clock()).secondFactorChange({
      account: actor,
      by: actor,
      address,
      detail: "recoveryCodes",
    });
  });
  return codes;
}

/** The factor, if it belongs to the actor. */
async function owned(db: IdentityDeps["db"] | Tx, actor: Actor, id: number): Promise<SecondFactor> {
  const factor = await secondFactors(db).byId(id);
  if (!factor) throw new Refusal("second.factor.notfound");
  if (!may("editSecondFactor", actor, relationTo(actor, { ownerId: factor.user_id })))
    throw new Refusal("user.not.authorized");
  return factor;
}
