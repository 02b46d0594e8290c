import type { Envelope } from "@packhouse/contract/envelope";
import { type MessageCode, messages } from "@packhouse/contract/messages";

export function envelopeOf(status: Envelope<unknown>["status"], code: MessageCode, data: unknown): Envelope<unknown> {
  return { status, code: messages[code].status, message: messages[code].text, messageCode: code, data };
}
