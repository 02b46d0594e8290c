import { may } from "@packhouse/contract/permissions";
import { standingTo } from "../../http/actor.ts";
import { ok } from "../../http/answer.ts";
import type { App } from "../../http/application.ts";
import { readPatch } from "../../http/json-patch.ts";
import { Refusal } from "../../platform/errors/refusal.ts";
import type { Deps } from "../deps.ts";
import { editUserSettings } from "./edit-user-settings.ts";
import { presentUserSettings } from "./present-user-settings.ts";
import { userSettings } from "./store.ts";

export function userSettingsRoutes(app: App, deps: Deps): void {
  app.route("GET /user-settings/:id", async (call) => {
    // Others than administrators must not learn which ids exist.
    if (!may("readUserSettings", call.actor, standingTo(call.actor, { ownerId: call.id })))
      throw new Refusal("user.not.authorized");
    const row = await userSettings(deps.db).of(call.id);
    if (!row) throw new Refusal("user.notfound");
    return ok(presentUserSettings(row, deps.settings, call));
  });
  app.route("PATCH /user-settings/:id", async (call) => {
    const change = { userId: call.id, operations: readPatch(call.body), address: call.request.ip };
    return ok(presentUserSettings(await editUserSettings(deps, call.actor, change), deps.settings, call));
  });
}
