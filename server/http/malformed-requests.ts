import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { type MessageCode, messages } from "@packhouse/contract/messages";
import { envelopeOf } from "./answer.ts";

/**
 * Headers that a request may have only once. Node uses the first of several, while a proxy may have used another one.
 * Node itself refuses contradictory body lengths and encodings.
 */
const single = new Set([
  "authorization",
  "content-encoding",
  "content-length",
  "content-type",
  "host",
  "origin",
  "proxy-authorization",
  "range",
]);

/** Whether a request has one of these headers more than once. */
export function repeatsHeader({ rawHeaders }: IncomingMessage): boolean {
  const seen = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? "";
    if (!single.has(name)) continue;
    if (seen.has(name)) return true;
    seen.add(name);
  }
  return false;
}

/** Answers malformed HTTP with the envelope, and closes the connection. */
export function refuseMalformed(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy(error);
    return;
  }
  const code: MessageCode = error.code === "HPE_HEADER_OVERFLOW" ? "request.header.too.large" : "bad.request";
  const { status } = messages[code];
  const body = JSON.stringify(envelopeOf("ERROR", code, null));
  const head = [
    `HTTP/1.1 ${status} ${code}`,
    "content-type: application/json; charset=utf-8",
    `content-length: ${Buffer.byteLength(body)}`,
    "connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}
