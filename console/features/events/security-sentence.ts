import "./texts.ts";
import type { EventItem } from "@packhouse/contract/events";
import {
  type SecurityEventDetail,
  type SecurityEventType,
  securityEventDetails,
} from "@packhouse/contract/security-events";
import type { TFunction } from "i18next";

/** A text for each kind and detail in the contract: the catalogs must have all of them. */
type SentenceKey = {
  [Type in SecurityEventType]: `securityEvent.${Type}.${SecurityEventDetail<Type>}`;
}[SecurityEventType];

const keyOf = ({ eventType, detail = "" }: EventItem): SentenceKey | undefined => {
  const details: Partial<Record<string, readonly string[]>> = securityEventDetails;
  return details[eventType]?.includes(detail)
    ? (`securityEvent.${eventType}.${detail}` as SentenceKey) // the table has this detail for this kind
    : undefined;
};

/** A security event in one sentence, in the user's language; undefined for all other events. */
export function securitySentence(event: EventItem, t: TFunction, name: string): string | undefined {
  const key = keyOf(event);
  return key && t(key, { name, by: event.user.name });
}
