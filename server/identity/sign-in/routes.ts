import { ownPasswordChange, passwordByToken } from "@packhouse/contract/passwords";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { envelopeOf, ok } from "../../http/answer.ts";
import type { App } from "../../http/application.ts";
import { Refusal } from "../../platform/errors/refusal.ts";
import type { IdentityDeps } from "../deps.ts";
import { signInClient } from "../sessions/sign-in-client.ts";
import { changeOwnPassword, choosePassword } from "./choose-password.ts";
import { signIn } from "./sign-in.ts";

/** The credentials of the contract in any length: what is too long to be a login is a sign-in that fails, and counts. */
const givenCredentials = z.strictObject({ login: z.string(), password: z.string() });

/** Callers who are not signed in yet send little. */
const small = { bodyLimit: 32 * 1024 };

/** `POST /login` and what belongs to it, the only calls other than health that need no signed-in user. */
export function signInRoutes(app: App, deps: IdentityDeps): void {
  const clientOf = (request: FastifyRequest) => signInClient(deps.settings, request);
  const { fastify } = app;
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    deps.limits.rates.signInFrom(request);
    const given = givenCredentials.safeParse(request.body);
    if (!given.success || given.data.login.includes("\0")) throw new Refusal("bad.request");
    const session = await signIn(deps, given.data, clientOf(request));
    // Existing clients expect exactly this, with the two nulls.
    return reply.send({ status: "SUCCESS", code: 200, messageCode: null, message: null, data: session });
  };
  fastify.post("/login", small, handler);
  fastify.post("/api/login", small, handler);

  const byToken = async (request: FastifyRequest, reply: FastifyReply) => {
    const given = passwordByToken.safeParse(request.body);
    if (!given.success) throw new Refusal("bad.request");
    const session = await choosePassword(deps, given.data, clientOf(request));
    return reply.send(envelopeOf("SUCCESS", "success.request.processed", session));
  };
  fastify.post("/login/password", small, byToken);
  fastify.post("/api/login/password", small, byToken);

  app.route("POST /users/me/password", async ({ actor, body, request }) =>
    ok(await changeOwnPassword(deps, actor, ownPasswordChange.parse(body), clientOf(request))),
  );
}
