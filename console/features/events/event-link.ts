import type { EventItem } from "@packhouse/contract/events";
import { securityEventType } from "@packhouse/contract/security-events";

export const isSecurityEvent = ({ eventType }: EventItem): boolean => securityEventType.safeParse(eventType).success;

/** The address of one event: security events are there only where they are asked for. */
export const linkTo = (event: EventItem): Record<string, string> => ({
  open: String(event.id),
  ...(isSecurityEvent(event) ? { security: "true" } : {}),
});
