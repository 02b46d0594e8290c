import { may } from "@packhouse/contract/permissions";
import { sessionList } from "@packhouse/contract/sessions";
import type { FastifyReply, FastifyRequest } from "fastify";
import { standingTo } from "../../http/actor.ts";
import { noContent, ok } from "../../http/answer.ts";
import type { App } from "../../http/application.ts";
import { Refusal } from "../../platform/errors/refusal.ts";
import type { IdentityDeps } from "../deps.ts";
import { goesOn } from "./current-session.ts";
import { endSession, endSessionsOf, signOut } from "./end-session.ts";
import { presentSession } from "./present-session.ts";
import { sessions } from "./store.ts";

export function sessionRoutes(app: App, deps: IdentityDeps): void {
  const store = () => sessions(deps.db, goesOn(deps));

  app.list(
    "GET /sessions",
    sessionList,
    (query, actor) => {
      const { userLogin } = query.filters;
      // Others than administrators see their own, whatever they ask for.
      return store().find(query, userLogin && may("seeDeleted", actor) ? undefined : actor.id);
    },
    presentSession,
  );
  app.route("GET /sessions/:id", async (call) => {
    const row = await store().byId(call.id);
    if (!row) throw new Refusal("session.notfound");
    if (!may("readSession", call.actor, standingTo(call.actor, { ownerId: row.user_id })))
      throw new Refusal("user.not.authorized");
    return ok(presentSession(row, call));
  });
  app.route("DELETE /sessions/:id", async ({ actor, id, request }) => {
    await endSession(deps, actor, id, request.ip);
    return noContent;
  });
  app.route("DELETE /users/:id/sessions", async ({ actor, id, request }) => {
    await endSessionsOf(deps, actor, id, request.ip);
    return noContent;
  });
  app.route("POST /logout", async ({ actor, request }) => {
    await signOut(deps, actor, request.ip);
    return noContent;
  });

  // The counterpart of `POST /login`, at the same places.
  const logout = async (request: FastifyRequest, reply: FastifyReply) => {
    const actor = await app.authenticate({ header: request.headers.authorization, address: request.ip });
    if (!actor) throw new Refusal("error.user.not.authenticated");
    await signOut(deps, actor, request.ip);
    return reply.code(204).send();
  };
  app.fastify.post("/logout", logout);
  app.fastify.post("/api/logout", logout);
}
