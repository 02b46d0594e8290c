import { instantText } from "@packhouse/contract/envelope";
import { temporaryPasswordRequest } from "@packhouse/contract/passwords";
import { may } from "@packhouse/contract/permissions";
import { roles } from "@packhouse/contract/roles";
import { apiPrefix } from "@packhouse/contract/routes";
import { userList } from "@packhouse/contract/users";
import { standingTo } from "../../http/actor.ts";
import { ok } from "../../http/answer.ts";
import type { App } from "../../http/application.ts";
import { readPatch } from "../../http/json-patch.ts";
import { Refusal } from "../../platform/errors/refusal.ts";
import type { Deps } from "../deps.ts";
import { defaultSettings } from "../user-settings/default-settings.ts";
import { editUser } from "./edit-user.ts";
import { issuePasswordLink, issueTemporaryPassword, passwordLinkAddress } from "./issue-password.ts";
import { presentOwnUser, presentUser } from "./present-user.ts";
import { users } from "./store.ts";

export function userRoutes(app: App, deps: Deps): void {
  const store = users(deps.db);

  app.list("GET /users", userList, (query) => store.find(query), presentUser);
  app.route("GET /users/roles", async ({ api }) =>
    ok({ links: [{ rel: "self", href: `${api}/users/roles` }], content: roles }),
  );
  app.route("GET /users/me", async (call) => {
    const row = await store.byId(call.actor.id);
    if (!row) throw new Refusal("error.user.not.authenticated");
    return ok(presentOwnUser(row, call, defaultSettings(deps.settings)));
  });
  app.route("GET /users/:id", async (call) => {
    // Others than administrators must not learn which ids exist.
    if (!may("readUser", call.actor, standingTo(call.actor, { ownerId: call.id })))
      throw new Refusal("user.not.authorized");
    const row = await store.byId(call.id);
    if (!row) throw new Refusal("user.notfound");
    return ok(presentUser(row, call));
  });
  app.route("POST /users/:id/password-link", async (call) => {
    const link = await issuePasswordLink(deps, call.actor, call.id, call.request.ip);
    const base = call.api.slice(0, -apiPrefix.length);
    return ok({ link: passwordLinkAddress(base, link), expirationDate: instantText(link.expiresOn) });
  });
  app.route("POST /users/:id/temporary-password", async (call) => {
    const options = temporaryPasswordRequest.parse(call.body);
    return ok({
      password: await issueTemporaryPassword(deps, call.actor, call.id, { ...options, address: call.request.ip }),
    });
  });
  app.route("PATCH /users/:id", async (call) =>
    ok(presentUser(await editUser(deps, call.actor, call.id, readPatch(call.body)), call)),
  );
}
