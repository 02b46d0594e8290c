import { may } from "@packhouse/contract/permissions";
import { type Actor, relationTo } from "../../http/actor.ts";
import { Refusal } from "../../platform/errors/refusal.ts";
import { recordEvent } from "../../platform/event-log/record-event.ts";
import type { Deps } from "../deps.ts";
import { accessTokens } from "./store.ts";

/** Removes a token permanently; it cannot be soft-deleted. */
export async function purgeAccessToken({ db, clock }: Deps, actor: Actor, id: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const row = await accessTokens(tx).lock(id);
    if (!row) throw new Refusal("error.access.token.not.found");
    if (!may("deleteAccessToken", actor, relationTo(actor, { ownerId: row.user_id })))
      throw new Refusal("user.not.authorized");
    await accessTokens(tx).purge(id);
    await recordEvent(tx, {
      by: actor,
      at: clock(),
      type: "delete",
      resource: "ACCESS_TOKEN",
      resourceId: id,
      purged: true,
      description: `${actor.name} permanently deleted the access token ${row.name}.`,
    });
  });
}
