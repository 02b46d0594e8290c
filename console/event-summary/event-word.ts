import { type AnyEventType, anyEventType, type EventItem } from "@packhouse/contract/events";
import type { TFunction } from "i18next";

/** What happened, in one word from the catalog's group `event`. */
export type EventWord =
  | AnyEventType
  | "activated"
  | "deactivated"
  | "published"
  | "unpublished"
  | "accepted"
  | "rejected"
  | "cancelled"
  | "restored";

/** Most significant change first: deleted records are also deactivated. */
const ofChange: Record<string, Record<string, EventWord>> = {
  deleted: { true: "delete", false: "restored" },
  active: { true: "activated", false: "deactivated" },
  published: { true: "published", false: "unpublished" },
  state: { accepted: "accepted", rejected: "rejected", cancelled: "cancelled" },
};

/**
 * An update is described by what it changed, if there is a word for that; other events by their type. Undefined for
 * types that only the server knows.
 */
export function eventWord({ eventType: type, changedProperties }: EventItem): EventWord | undefined {
  if (type !== "update") return anyEventType.safeParse(type).data;
  for (const [property, words] of Object.entries(ofChange)) {
    const change = changedProperties.find((it) => it.property === property);
    const word = change && words[change.valueAfter.toLowerCase()];
    if (word) return word;
  }
  return "update";
}

/** What happened, for display; types that only the server knows are shown as they are. */
export function eventLabel(event: EventItem, t: TFunction): string {
  const word = eventWord(event);
  return word ? t(`event.${word}`) : event.eventType;
}

/** The type of an event alone, ignoring what it changed. */
export function eventTypeLabel({ eventType: type }: EventItem, t: TFunction): string {
  const { data: known } = anyEventType.safeParse(type);
  return known ? t(`event.${known}`) : type;
}
