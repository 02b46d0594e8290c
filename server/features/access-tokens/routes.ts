import * as operations from "@packhouse/contract/operations/access-tokens";
import { may } from "@packhouse/contract/permissions";
import { relationTo } from "../../http/actor.ts";
import type { App } from "../../http/application.ts";
import { Refusal } from "../../platform/errors/refusal.ts";
import type { Deps } from "../deps.ts";
import { createAccessToken } from "./create-access-token.ts";
import { editAccessToken } from "./edit-access-token.ts";
import { presentAccessToken } from "./present-access-token.ts";
import { purgeAccessToken } from "./purge-access-token.ts";
import { accessTokens } from "./store.ts";

export function accessTokenRoutes(app: App, deps: Deps): void {
  const { clock } = deps;
  const store = accessTokens(deps.db);
  const present = presentAccessToken(clock);

  app.list(
    operations.listAccessTokens,
    // Administrators see all tokens, other users their own.
    (query, actor) => store.find(query, may("seeDeleted", actor) ? undefined : actor.id, clock()),
    present,
  );
  app.handle(operations.readAccessToken, async (call) => {
    const row = await store.byId(call.id);
    if (!row) throw new Refusal("error.access.token.not.found");
    if (!may("readAccessToken", call.actor, relationTo(call.actor, { ownerId: row.user_id })))
      throw new Refusal("user.not.authorized");
    return present(row, call);
  });
  app.handle(operations.createAccessToken, async (call) => {
    const { actor, body } = call;
    const { token, value } = await createAccessToken(deps, actor, { ...body, name: body.name ?? "" });
    return { ...present(token, call), value };
  });
  app.handle(operations.editAccessToken, async (call) =>
    present(await editAccessToken(deps, call.actor, call.id, call.body), call),
  );
  app.handle(operations.deleteAccessToken, ({ actor, id }) => purgeAccessToken(deps, actor, id));
}
