import { accessTokenCreation, accessTokenList } from "@packhouse/contract/access-tokens";
import { may } from "@packhouse/contract/permissions";
import { standingTo } from "../../http/actor.ts";
import { noContent, ok } from "../../http/answer.ts";
import type { App } from "../../http/application.ts";
import { readPatch } from "../../http/json-patch.ts";
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
    "GET /access-tokens",
    accessTokenList,
    // Administrators see everybody's tokens, all others their own.
    (query, actor) => store.find(query, may("seeDeleted", actor) ? undefined : actor.id, clock()),
    present,
  );
  app.route("GET /access-tokens/:id", async (call) => {
    const row = await store.byId(call.id);
    if (!row) throw new Refusal("error.access.token.not.found");
    if (!may("readAccessToken", call.actor, standingTo(call.actor, { ownerId: row.user_id })))
      throw new Refusal("user.not.authorized");
    return ok(present(row, call));
  });
  app.route("POST /access-tokens", async (call) => {
    const given = accessTokenCreation.parse(call.body);
    const { token, value } = await createAccessToken(deps, call.actor, { ...given, name: given.name ?? "" });
    return ok({ ...present(token, call), value });
  });
  app.route("PATCH /access-tokens/:id", async (call) =>
    ok(present(await editAccessToken(deps, call.actor, call.id, readPatch(call.body)), call)),
  );
  app.route("DELETE /access-tokens/:id", async ({ actor, id }) => {
    await purgeAccessToken(deps, actor, id);
    return noContent;
  });
}
