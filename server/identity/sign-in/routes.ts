import { readGiven } from "@packhouse/contract/given-values";
import * as passwordOperations from "@packhouse/contract/operations/passwords";
import * as operations from "@packhouse/contract/operations/sign-in";
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { envelopeOf } from "../../http/answer.ts";
import type { App } from "../../http/application.ts";
import { Refusal } from "../../platform/errors/refusal.ts";
import type { IdentityDeps } from "../deps.ts";
import { signInClient } from "../sessions/sign-in-client.ts";
import { changeOwnPassword, choosePassword } from "./choose-password.ts";
import { serveSignIn } from "./serve-sign-in.ts";
import { signIn } from "./sign-in.ts";

/** The credentials of the contract in any length: a login that is too long is a failed sign-in, and counts. */
const givenCredentials = z.strictObject({ login: z.string(), password: z.string() });

/** `POST /login` and related calls, the only ones other than health that need no signed-in user. */
export function signInRoutes(app: App, deps: IdentityDeps): void {
  const clientOf = (request: FastifyRequest) => signInClient(deps.settings, request);
  serveSignIn(app, deps, operations.signIn, async (request, reply) => {
    const given = readGiven(givenCredentials, request.body);
    if (!given.success || given.data.login.includes("\0")) throw new Refusal("bad.request");
    const session = await signIn(deps, given.data, clientOf(request));
    // Existing clients expect exactly this, with the two nulls.
    return reply.send({ status: "SUCCESS", code: 200, messageCode: null, message: null, data: session });
  });

  serveSignIn(app, deps, passwordOperations.choosePassword, async (request, reply) => {
    const given = readGiven(passwordOperations.choosePassword.json, request.body);
    if (!given.success) throw new Refusal("bad.request");
    const session = await choosePassword(deps, given.data, clientOf(request));
    return reply.send(envelopeOf("SUCCESS", "success.request.processed", session));
  });

  app.handle(passwordOperations.changeOwnPassword, ({ actor, body, request }) =>
    changeOwnPassword(deps, actor, body, clientOf(request)),
  );
}
