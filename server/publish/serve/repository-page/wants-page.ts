import type { FastifyRequest } from "fastify";
import { acceptedTypes } from "../../../http/headers/accept.ts";

/** Whether a person asks, at an address where clients find nothing. */
export const wantsPage = ({ headers }: FastifyRequest): boolean => acceptedTypes(headers.accept).includes("text/html");

/**
 * The same at an address where clients find their index. They accept `text/html`, too, and pip before 22.2 nothing else;
 * only browsers prefer it and accept XHTML.
 */
export function wantsPageInsteadOfIndex({ headers, url }: FastifyRequest): boolean {
  const [preferred, ...others] = acceptedTypes(headers.accept);
  return preferred === "text/html" && others.includes("application/xhtml+xml") && !url.includes("format=");
}
