import type { EventItem } from "@packhouse/contract/events";
import { securityEventType } from "@packhouse/contract/security-events";

export const isSecurityEvent = ({ eventType }: EventItem): boolean => securityEventType.safeParse(eventType).success;

/** The address of one event: security events are only found if requested. */
export const linkTo = (event: EventItem): { open: string; security?: "true" } => ({
  open: String(event.id),
  ...(isSecurityEvent(event) ? { security: "true" } : {}),
});
