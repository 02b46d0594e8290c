import { accessToken as accessTokenShape } from "@packhouse/contract/access-tokens";
import type { ChangedProperty } from "@packhouse/contract/events";
import { longestName } from "@packhouse/contract/limits";
import { may } from "@packhouse/contract/permissions";
import { patchedReference } from "@packhouse/contract/references";
import { z } from "zod";
import { type Actor, relationTo } from "../../http/actor.ts";
import { type PatchOperation, patched } from "../../http/patch/json-patch.ts";
import { invalid, malformedPatch, Refusal } from "../../platform/errors/refusal.ts";
import { change, recordEvent } from "../../platform/event-log/record-event.ts";
import type { Deps } from "../deps.ts";
import { accessTokenBody } from "./present-access-token.ts";
import { type AccessToken, accessTokens } from "./store.ts";

/** The owner is ignored. An empty name is allowed, as existing clients know it, but none is not. */
const shape = z.strictObject({ ...accessTokenShape.shape, user: patchedReference, name: z.string().nullish() });

/** Renames a token or deactivates it permanently: an inactive one is frozen. */
export async function editAccessToken(
  { db, clock, workers }: Deps,
  actor: Actor,
  id: number,
  operations: readonly PatchOperation[],
): Promise<AccessToken> {
  return db.transaction().execute(async (tx) => {
    const store = accessTokens(tx);
    const before = await store.lock(id);
    if (!before) throw new Refusal("error.access.token.not.found");
    if (!may("editAccessToken", actor, relationTo(actor, { ownerId: before.user_id })))
      throw new Refusal("user.not.authorized");
    const after = await patched(workers, shape, accessTokenBody(before, clock()), operations);
    const { active, name } = after;
    if (after.deleted) throw new Refusal("error.validation", "access.tokens.cannot.be.soft.deleted");
    if (!before.active) throw malformedPatch("deactivated.token.could.not.be.changed");

    if (after.id !== id) throw invalid(["forbidden.update"]);
    if (name === null || name === undefined) throw invalid(["token.name.must.be.not.blank"]);
    const changed = [...change("active", before.active, active), ...change("name", before.name, name)];
    if (name !== before.name && name.length > longestName) throw invalid(["token.name.too.long"]);
    if (changed.length === 0) return before;
    await store.update(id, { name, active });
    await recordEvent(tx, {
      by: actor,
      at: clock(),
      type: "update",
      resource: "ACCESS_TOKEN",
      resourceId: id,
      changed,
      description: describeChange(actor.name, before.name, changed),
    });
    return { ...before, name, active };
  });
}

function describeChange(who: string, name: string, changed: readonly ChangedProperty[]): string {
  const newName = changed.find(({ property }) => property === "name")?.valueAfter;
  const parts: string[] = [];
  if (changed.some(({ property }) => property === "active")) parts.push(`deactivated the access token ${name}`);
  if (newName !== undefined) parts.push(`renamed the access token ${name} to ${newName}`);
  return `${who} ${parts.join(" and ")}.`;
}
