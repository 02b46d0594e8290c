import { withoutTrailing } from "@packhouse/formats/trim-characters";
import type { FastifyRequest } from "fastify";
import { isLoopback, type Settings } from "../platform/settings/settings.ts";

type AddressSettings = Pick<Settings, "publicUrl" | "host">;

/** Scheme, host and path prefix under which the caller reaches this server, without a slash at the end. */
export function publicAddress(settings: AddressSettings, request: FastifyRequest): string {
  if (settings.publicUrl) return settings.publicUrl.replace(/\/$/, "");
  return `${request.protocol}://${request.host}`;
}

/** The path of the public address, without slashes at the end; empty if there is none. */
export const publicPrefix = ({ publicUrl }: Pick<Settings, "publicUrl">): string =>
  publicUrl ? withoutTrailing(new URL(publicUrl).pathname, "/") : "";

/** The address of a bound host and port; IPv6 addresses are in brackets. */
export const boundAddress = ({ host, port }: Pick<Settings, "host" | "port">): string =>
  `http://${host.includes(":") && !host.startsWith("[") ? `[${host}]` : host}:${port}`;

/** The same as `publicAddress` where there is no request: for commands. */
export const addressWithoutRequest = (settings: Pick<Settings, "publicUrl" | "host" | "port">): string =>
  settings.publicUrl?.replace(/\/$/, "") ?? boundAddress(settings);

/**
 * Without a public address only loopback names and the bound address are answered: otherwise an attacker could make
 * links point to a host of their choice.
 */
export function hostAllowed(settings: AddressSettings, host: string | undefined): boolean {
  if (settings.publicUrl) return true;
  const name = host?.replace(/:\d+$/, "") ?? "";
  return isLoopback(name) || name === settings.host;
}
