import type { FastifyRequest } from "fastify";
import { isLoopback, type Settings } from "../settings.ts";

type AddressSettings = Pick<Settings, "publicUrl" | "host">;

/** Scheme, host and path prefix under which the caller reaches this server, without a slash at the end. */
export function publicAddress(settings: AddressSettings, request: FastifyRequest): string {
  if (settings.publicUrl) return settings.publicUrl.replace(/\/$/, "");
  return `${request.protocol}://${request.host}`;
}

/**
 * Without a public address only loopback names and the bound address are answered:
 * otherwise links could be made to point at a host of a stranger's choosing.
 */
export function hostAllowed(settings: AddressSettings, host: string | undefined): boolean {
  if (settings.publicUrl) return true;
  const name = host?.replace(/:\d+$/, "") ?? "";
  return isLoopback(name) || name === settings.host;
}
