import * as operations from "@packhouse/contract/operations/sessions";
import { signInAddresses, signOut as signOutOperation } from "@packhouse/contract/operations/sign-in";
import { may } from "@packhouse/contract/permissions";
import type { FastifyReply, FastifyRequest } from "fastify";
import { relationTo } from "../../http/actor.ts";
import type { App } from "../../http/application.ts";
import { Refusal } from "../../platform/errors/refusal.ts";
import type { IdentityDeps } from "../deps.ts";
import { sessionLimits } from "./current-session.ts";
import { endSession, endSessionsOf, signOut } from "./end-session.ts";
import { presentSession } from "./present-session.ts";
import { sessions } from "./store.ts";

export function sessionRoutes(app: App, deps: IdentityDeps): void {
  const store = () => sessions(deps.db, sessionLimits(deps));

  app.list(
    operations.listSessions,
    (query, actor) => {
      const { userLogin } = query.filters;
      // Users who are not administrators only see their own, whatever they ask for.
      return store().find(query, userLogin && may("seeDeleted", actor) ? undefined : actor.id);
    },
    presentSession,
  );
  app.handle(operations.readSession, async (call) => {
    const row = await store().byId(call.id);
    if (!row) throw new Refusal("session.notfound");
    if (!may("readSession", call.actor, relationTo(call.actor, { ownerId: row.user_id })))
      throw new Refusal("user.not.authorized");
    return presentSession(row, call);
  });
  app.handle(operations.endSession, ({ actor, id, request }) => endSession(deps, actor, id, request.ip));
  app.handle(operations.endSessionsOfUser, ({ actor, id, request }) => endSessionsOf(deps, actor, id, request.ip));
  app.handle(operations.logOut, ({ actor, request }) => signOut(deps, actor, request.ip));

  // The counterpart of `POST /login`, at the same addresses.
  const logout = async (request: FastifyRequest, reply: FastifyReply) => {
    const actor = await app.authenticate({ header: request.headers.authorization, address: request.ip });
    if (!actor) throw new Refusal("error.user.not.authenticated");
    await signOut(deps, actor, request.ip);
    return reply.code(204).send();
  };
  for (const address of signInAddresses(signOutOperation)) app.fastify.post(address, logout);
}
