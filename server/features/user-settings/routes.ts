import * as operations from "@packhouse/contract/operations/user-settings";
import { may } from "@packhouse/contract/permissions";
import { relationTo } from "../../http/actor.ts";
import type { App } from "../../http/application.ts";
import { Refusal } from "../../platform/errors/refusal.ts";
import type { Deps } from "../deps.ts";
import { editUserSettings } from "./edit-user-settings.ts";
import { presentUserSettings } from "./present-user-settings.ts";
import { userSettings } from "./store.ts";

export function userSettingsRoutes(app: App, deps: Deps): void {
  app.handle(operations.readUserSettings, async (call) => {
    // Only administrators may learn which ids exist.
    if (!may("readUserSettings", call.actor, relationTo(call.actor, { ownerId: call.id })))
      throw new Refusal("user.not.authorized");
    const row = await userSettings(deps.db).of(call.id);
    if (!row) throw new Refusal("user.notfound");
    return presentUserSettings(row, deps.settings, call);
  });
  app.handle(operations.editUserSettings, async (call) => {
    const change = { userId: call.id, operations: call.body, address: call.request.ip };
    return presentUserSettings(await editUserSettings(deps, call.actor, change), deps.settings, call);
  });
}
