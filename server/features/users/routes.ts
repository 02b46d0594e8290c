import { instantText } from "@packhouse/contract/envelope";
import { apiPrefix } from "@packhouse/contract/operation";
import * as passwordOperations from "@packhouse/contract/operations/passwords";
import * as operations from "@packhouse/contract/operations/users";
import { may } from "@packhouse/contract/permissions";
import { roles } from "@packhouse/contract/roles";
import { relationTo } from "../../http/actor.ts";
import type { App } from "../../http/application.ts";
import { Refusal } from "../../platform/errors/refusal.ts";
import type { Deps } from "../deps.ts";
import { defaultSettings } from "../user-settings/default-settings.ts";
import { editUser } from "./edit-user.ts";
import { issuePasswordLink, issueTemporaryPassword, passwordLinkAddress } from "./issue-password.ts";
import { presentOwnUser, presentUser } from "./present-user.ts";
import { users } from "./store.ts";

export function userRoutes(app: App, deps: Deps): void {
  const store = users(deps.db);

  app.list(operations.listUsers, (query) => store.find(query), presentUser);
  app.handle(operations.listRoles, async ({ api }) => ({
    links: [{ rel: "self", href: `${api}/users/roles` }],
    content: roles,
  }));
  app.handle(operations.readOwnUser, async (call) => {
    const row = await store.byId(call.actor.id);
    if (!row) throw new Refusal("error.user.not.authenticated");
    return presentOwnUser(row, call, defaultSettings(deps.settings));
  });
  app.handle(operations.readUser, async (call) => {
    // Only administrators may learn which ids exist.
    if (!may("readUser", call.actor, relationTo(call.actor, { ownerId: call.id })))
      throw new Refusal("user.not.authorized");
    const row = await store.byId(call.id);
    if (!row) throw new Refusal("user.notfound");
    return presentUser(row, call);
  });
  app.handle(passwordOperations.createPasswordLink, async (call) => {
    const link = await issuePasswordLink(deps, call.actor, call.id, call.request.ip);
    const base = call.api.slice(0, -apiPrefix.length);
    return { link: passwordLinkAddress(base, link), expirationDate: instantText(link.expiresOn) };
  });
  app.handle(passwordOperations.createTemporaryPassword, async ({ actor, id, body, request }) => ({
    password: await issueTemporaryPassword(deps, actor, id, { ...body, address: request.ip }),
  }));
  app.handle(operations.editUser, async (call) =>
    presentUser(await editUser(deps, call.actor, call.id, call.body), call),
  );
}
