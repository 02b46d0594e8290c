import { credentials } from "@packhouse/contract/login";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Deps } from "../deps.ts";
import type { App } from "../http/application.ts";
import { Refusal } from "../http/refusal.ts";
import { signIn } from "./sign-in.ts";
import { signInClient } from "./sign-in-client.ts";

/** `POST /login` and `POST /api/login`, the only calls beside health that need nobody to be signed in. */
export function signInRoutes({ fastify }: App, deps: Deps): void {
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const given = credentials.safeParse(request.body);
    if (!given.success || given.data.login.includes("\0")) throw new Refusal("bad.request");
    const client = signInClient(deps.settings, request);
    const session = await signIn(deps, given.data, client);
    // Existing clients expect exactly this, with the two nulls.
    return reply.send({ status: "SUCCESS", code: 200, messageCode: null, message: null, data: session });
  };
  fastify.post("/login", handler);
  fastify.post("/api/login", handler);
}
