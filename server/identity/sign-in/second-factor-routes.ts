import { readGiven } from "@packhouse/contract/given-values";
import * as operations from "@packhouse/contract/operations/second-factors";
import * as secondStep from "@packhouse/contract/operations/second-step";
import type { SignInOperation } from "@packhouse/contract/operations/sign-in";
import type { FastifyRequest } from "fastify";
import type { z } from "zod";
import type { App } from "../../http/application.ts";
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
import { serveSignIn } from "./serve-sign-in.ts";
import { resumeSignIn } from "./sign-in.ts";

/** The second step of a sign-in, before anyone is signed in, and the factors of the caller. */
export function secondFactorRoutes(app: App, deps: IdentityDeps): void {
  const clientOf = (request: FastifyRequest) => signInClient(deps.settings, request);
  atSignIn(app, deps, clientOf);

  app.handle(operations.readSecondFactors, async (call) => {
    const { actor, request } = call;
    const store = secondFactors(deps.db);
    const party = relyingPartyOf(clientOf(request).site);
    const local = !actor.byAccessToken && (await signsInByPassword(deps, actor));
    const facts = {
      methods: local ? addableKinds(party !== undefined) : [],
      required: local && isRequired(deps.settings, actor.role),
      recoveryCodes: await store.recoveryCodesLeft(actor.id),
    };
    return presentOwnFactors(await store.of(actor.id), facts, call);
  });
  app.handle(operations.startEnrollment, ({ actor, body, request }) =>
    startEnrollment(deps, actor, body, clientOf(request)),
  );
  app.handle(operations.confirmEnrollment, async (call) => {
    const { actor, body, request } = call;
    const { factor, recoveryCodes } = await confirmEnrollment(deps, "enroll", body, {
      ...clientOf(request),
      owner: actor,
    });
    return { factor: presentSecondFactor(factor, call), recoveryCodes };
  });
  app.handle(operations.editSecondFactor, async (call) =>
    presentSecondFactor(await renameSecondFactor(deps, call.actor, call.id, call.body), call),
  );
  app.handle(operations.removeSecondFactor, ({ actor, id, body, request }) =>
    removeSecondFactor(deps, actor, id, { ...body, address: request.ip }),
  );
  app.handle(operations.replaceRecoveryCodes, async ({ actor, body, request }) => ({
    recoveryCodes: await replaceRecoveryCodes(deps, actor, { ...body, address: request.ip }),
  }));
  app.handle(operations.resetSecondFactors, ({ actor, id, request }) =>
    resetSecondFactors(deps, actor, id, request.ip),
  );
}

function atSignIn(app: App, deps: IdentityDeps, clientOf: (request: FastifyRequest) => SignInClient): void {
  /** At both addresses of the sign-in, in its format: `message` and `messageCode` are null. */
  const post = <Json extends z.ZodType, Data extends z.ZodType>(
    operation: SignInOperation & { json: Json; data: Data },
    answer: (given: z.output<Json>, request: FastifyRequest) => Promise<z.output<Data>>,
  ) =>
    serveSignIn(app, deps, operation, async (request, reply) => {
      const given = readGiven(operation.json, request.body);
      if (!given.success) throw new Refusal("bad.request");
      // When switched off, there is nothing to finish.
      if (!deps.settings["auth.simple"]) throw new Refusal("error.user.not.authenticated");
      const data = await answer(given.data, request);
      return reply.send({ status: "SUCCESS", code: 200, messageCode: null, message: null, data });
    });
  post(secondStep.passSecondFactor, async (step, request) => {
    const client = clientOf(request);
    return resumeSignIn(deps, await passSecondFactor(deps, step, client), client);
  });
  post(secondStep.startEnrollmentAtSignIn, (given, request) =>
    startEnrollmentAtSignIn(deps, given, clientOf(request).site),
  );
  post(secondStep.confirmEnrollmentAtSignIn, async (given, request) => {
    const client = clientOf(request);
    const { recoveryCodes, ...user } = await confirmEnrollment(deps, "enroll-at-sign-in", given, client);
    return { ...(await resumeSignIn(deps, user, client)), recoveryCodes };
  });
}
