import { longestName } from "@packhouse/contract/limits";
import { credentials } from "@packhouse/contract/login";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { Deps } from "../deps.ts";
import type { App } from "../http/application.ts";
import { Refusal } from "../http/refusal.ts";
import { refuseSignIn, signIn } from "./sign-in.ts";

/** The beginning of a login that comes with a text too long to be one, or to be a password. */
function overlongLogin(body: unknown): string | undefined {
  const texts = z.strictObject({ login: z.string(), password: z.string() }).safeParse(body);
  if (!texts.success || texts.data.login.includes("\0") || credentials.safeParse(body).success) return undefined;
  return texts.data.login.slice(0, longestName + 1);
}

/** `POST /login` and `POST /api/login`, the only calls beside health that need nobody to be signed in. */
export function signInRoutes({ fastify }: App, deps: Deps): void {
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    deps.limits.rates.signInFrom(request);
    const given = credentials.safeParse(request.body);
    const tooLong = overlongLogin(request.body);
    if (tooLong !== undefined) return refuseSignIn(deps, tooLong, request.ip);
    if (!given.success || given.data.login.includes("\0")) throw new Refusal("bad.request");
    const session = await signIn(deps, given.data, request.ip);
    // Existing clients expect exactly this, with the two nulls.
    return reply.send({ status: "SUCCESS", code: 200, messageCode: null, message: null, data: session });
  };
  fastify.post("/login", handler);
  fastify.post("/api/login", handler);
}
