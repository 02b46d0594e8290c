import type { FastifyRequest } from "fastify";
import { publicAddress } from "../../http/addresses.ts";
import type { Settings } from "../../platform/settings/settings.ts";
import type { SigningClient } from "./start-session.ts";

/** Where a sign-in comes from, and the address under which the client reaches this server: passkeys belong to it. */
export interface SignInClient extends SigningClient {
  site: string;
}

export const signInClient = (settings: Settings, request: FastifyRequest): SignInClient => ({
  address: request.ip,
  device: request.headers["user-agent"],
  site: publicAddress(settings, request),
});
