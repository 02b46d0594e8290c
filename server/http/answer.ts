import type { Envelope } from "@packhouse/contract/envelope";
import { type MessageCode, messages } from "@packhouse/contract/messages";

/** What a route gives back; the application puts it into the envelope. */
export interface Answer {
  status: "SUCCESS" | "WARNING";
  code: MessageCode;
  data: unknown;
}

export const ok = (data: unknown): Answer => ({ status: "SUCCESS", code: "success.request.processed", data });
export const created = (data: unknown): Answer => ({ status: "SUCCESS", code: "success.resource.created", data });
export const warning = (code: MessageCode, data: unknown): Answer => ({ status: "WARNING", code, data });

/** 204: done, and there is nothing to show. */
export const noContent = { status: "NO CONTENT" } as const;
export type NoContent = typeof noContent;

export function envelopeOf(status: Envelope<unknown>["status"], code: MessageCode, data: unknown): Envelope<unknown> {
  return { status, code: messages[code].status, message: messages[code].text, messageCode: code, data };
}
