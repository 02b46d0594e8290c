import {
  enrollment,
  enrollmentAtSignIn,
  enrollmentConfirmation,
  passwordAgain,
  secondStep,
} from "@packhouse/contract/second-factors";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import { created, noContent, ok } from "../../http/answer.ts";
import type { App } from "../../http/application.ts";
import { readPatch } from "../../http/json-patch.ts";
import { Refusal } from "../../platform/errors/refusal.ts";
import type { IdentityDeps } from "../deps.ts";
import { signsInByPassword } from "../passwords/confirm-password.ts";
import {
  removeSecondFactor,
  renameSecondFactor,
  replaceRecoveryCodes,
} from "../second-factors/change-second-factors.ts";
import { isRequired } from "../second-factors/demand-second-factor.ts";
import { confirmEnrollment, startEnrollment, startEnrollmentAtSignIn } from "../second-factors/enroll-second-factor.ts";
import { passSecondFactor } from "../second-factors/pass-second-factor.ts";
import { relyingPartyOf } from "../second-factors/passkeys.ts";
import { presentOwnFactors, presentSecondFactor } from "../second-factors/present-second-factors.ts";
import { resetSecondFactors } from "../second-factors/reset-second-factors.ts";
import { addableKinds } from "../second-factors/second-factor.ts";
import { secondFactors } from "../second-factors/store.ts";
import { type SignInClient, signInClient } from "../sessions/sign-in-client.ts";
import { resumeSignIn } from "./sign-in.ts";

/** The second step of a sign-in, before anyone is signed in, and the factors of the caller. */
export function secondFactorRoutes(app: App, deps: IdentityDeps): void {
  const clientOf = (request: FastifyRequest) => signInClient(deps.settings, request);
  atSignIn(app, deps, clientOf);

  app.route("GET /second-factors", async (call) => {
    const { actor, request } = call;
    const store = secondFactors(deps.db);
    const party = relyingPartyOf(clientOf(request).site);
    const local = !actor.byAccessToken && (await signsInByPassword(deps, actor));
    const facts = {
      methods: local ? addableKinds(party !== undefined) : [],
      required: local && isRequired(deps.settings, actor.role),
      recoveryCodes: await store.recoveryCodesLeft(actor.id),
    };
    return ok(presentOwnFactors(await store.of(actor.id), facts, call));
  });
  app.route("POST /second-factors/enrollment", async ({ actor, body, request }) =>
    ok(await startEnrollment(deps, actor, enrollment.parse(body), clientOf(request))),
  );
  app.route("POST /second-factors", async (call) => {
    const { actor, body, request } = call;
    const { factor, recoveryCodes } = await confirmEnrollment(deps, "enroll", enrollmentConfirmation.parse(body), {
      ...clientOf(request),
      owner: actor,
    });
    return created({ factor: presentSecondFactor(factor, call), recoveryCodes });
  });
  app.route("PATCH /second-factors/:id", async (call) =>
    ok(presentSecondFactor(await renameSecondFactor(deps, call.actor, call.id, readPatch(call.body)), call)),
  );
  app.route("POST /second-factors/:id/removal", async ({ actor, id, body, request }) => {
    await removeSecondFactor(deps, actor, id, { ...passwordAgain.parse(body), address: request.ip });
    return noContent;
  });
  app.route("POST /second-factors/recovery-codes", async ({ actor, body, request }) =>
    ok({
      recoveryCodes: await replaceRecoveryCodes(deps, actor, { ...passwordAgain.parse(body), address: request.ip }),
    }),
  );
  app.route("POST /users/:id/reset-second-factors", async ({ actor, id, request }) => {
    await resetSecondFactors(deps, actor, id, request.ip);
    return noContent;
  });
}

function atSignIn({ fastify }: App, deps: IdentityDeps, clientOf: (request: FastifyRequest) => SignInClient): void {
  /** Below both addresses of the sign-in, in its form: `message` and `messageCode` are null. */
  const post = <Schema extends z.ZodType>(
    path: string,
    schema: Schema,
    answer: (given: z.output<Schema>, request: FastifyRequest) => Promise<unknown>,
  ) => {
    const handler = async (request: FastifyRequest, reply: FastifyReply) => {
      const given = schema.safeParse(request.body);
      if (!given.success) throw new Refusal("bad.request");
      // Switched off, there is nothing to finish.
      if (!deps.settings["auth.simple"]) throw new Refusal("error.user.not.authenticated");
      const data = await answer(given.data, request);
      return reply.send({ status: "SUCCESS", code: 200, messageCode: null, message: null, data });
    };
    fastify.post(`/login${path}`, handler);
    fastify.post(`/api/login${path}`, handler);
  };
  post("/second-factor", secondStep, async (step, request) => {
    const client = clientOf(request);
    return resumeSignIn(deps, await passSecondFactor(deps, step, client), client);
  });
  post("/second-factor/enrollment", enrollmentAtSignIn, (given, request) =>
    startEnrollmentAtSignIn(deps, given, clientOf(request).site),
  );
  post("/second-factor/enrollment/confirmation", enrollmentConfirmation, async (given, request) => {
    const client = clientOf(request);
    const { recoveryCodes, ...user } = await confirmEnrollment(deps, "enroll-at-sign-in", given, client);
    return { ...(await resumeSignIn(deps, user, client)), recoveryCodes };
  });
}
