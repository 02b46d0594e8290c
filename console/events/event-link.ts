import { securityEventType } from "@packhouse/contract/security-events";
import type { EventRecord } from "../event-summary/event-record.ts";

export const isSecurityEvent = ({ eventType }: EventRecord): boolean => securityEventType.safeParse(eventType).success;

/** The address of one event: security events are there only where they are asked for. */
export const linkTo = (event: EventRecord): Record<string, string> => ({
  open: String(event.id),
  ...(isSecurityEvent(event) ? { security: "true" } : {}),
});
