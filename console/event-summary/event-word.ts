import type { AnyEventType } from "@packhouse/contract/events";
import type { EventRecord } from "./event-record.ts";

/** What happened, in one word of the catalogue's group `event`. */
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

/** The most telling change first: what is deleted is switched off as well. */
const ofChange: Record<string, Record<string, EventWord>> = {
  deleted: { true: "delete", false: "restored" },
  active: { true: "activated", false: "deactivated" },
  published: { true: "published", false: "unpublished" },
  state: { accepted: "accepted", rejected: "rejected", cancelled: "cancelled" },
};

/** An update is named by what it changed, where there is a word for that; all others by their type. */
export function eventWord({ eventType, changedProperties }: EventRecord): EventWord {
  if (eventType !== "update") return eventType;
  for (const [property, words] of Object.entries(ofChange)) {
    const change = changedProperties.find((it) => it.property === property);
    const word = change && words[change.valueAfter.toLowerCase()];
    if (word) return word;
  }
  return "update";
}
