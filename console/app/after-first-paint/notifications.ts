import { type EventItem, eventList } from "@packhouse/contract/events";
import type { UserItem } from "@packhouse/contract/users";
import { queryOptions } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { eventWord } from "../../event-summary/event-word.ts";

const shownEvents = 5;
/** How many events are searched for those that concern the user. */
const soughtEvents = 50;
const refreshMs = 60_000;

/** The newest events; refreshed every minute while the page is visible. */
export const notificationsQuery = (aboutMe: boolean) =>
  queryOptions({
    queryKey: ["notifications", aboutMe],
    queryFn: ({ signal }) => api.list(eventList, { size: String(aboutMe ? soughtEvents : shownEvents) }, signal),
    refetchInterval: refreshMs,
    meta: { shownInPlace: true },
  });

/** One entry of the feed: an event, and how many more of its kind directly preceded it. */
export interface Notification {
  event: EventItem;
  repeated: number;
}

/** Merges consecutive events with the same user, kind and subject type into one entry. */
export function grouped(events: readonly EventItem[]): Notification[] {
  const entries: Notification[] = [];
  for (const event of events) {
    const last = entries.at(-1);
    const same =
      last &&
      last.event.user.id === event.user.id &&
      last.event.resourceType === event.resourceType &&
      last.event.eventType === event.eventType &&
      eventWord(last.event) === eventWord(event) &&
      last.event.resourceId === event.resourceId;
    if (same) last.repeated += 1;
    else entries.push({ event, repeated: 0 });
  }
  return entries;
}

/** Whether an event concerns what a user submitted or maintains, or their account, unless they caused it themselves. */
export function concerns({ user, resourceType, resourceId, relatedResource }: EventItem, me: UserItem): boolean {
  if (user.id === me.id) return false;
  if (resourceType === "USER") return resourceId === me.id;
  const people = [relatedResource.user, relatedResource.submitter].map((person) =>
    typeof person === "object" && person !== null && "id" in person ? person.id : undefined,
  );
  return people.includes(me.id);
}

export const newestOf = (events: readonly EventItem[]): EventItem[] => events.slice(0, shownEvents);

/** Unseen events since the previous sign-in. Without a previous sign-in, nothing is new. */
export function isNew({ id, time }: EventItem, { lastLoggedInOn }: UserItem, seen: ReadonlySet<number>): boolean {
  return lastLoggedInOn !== "" && Date.parse(time) > Date.parse(lastLoggedInOn) && !seen.has(id);
}
