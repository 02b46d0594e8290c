import { type SignInOperation, signInAddresses } from "@packhouse/contract/operations/sign-in";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../http/application.ts";
import type { IdentityDeps } from "../deps.ts";

/** Callers who are not signed in yet send little. */
const small = { bodyLimit: 32 * 1024 };

/** Serves a step of the sign-in at all of its addresses. Each call counts as an attempt of its address. */
export function serveSignIn(
  { fastify }: App,
  { limits }: Pick<IdentityDeps, "limits">,
  operation: SignInOperation,
  answer: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
): void {
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    limits.rates.signInFrom(request);
    return answer(request, reply);
  };
  for (const address of signInAddresses(operation)) fastify.post(address, small, handler);
}
