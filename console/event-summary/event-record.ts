import { eventItem, eventList, resourceType, resourceTypeFilter } from "@packhouse/contract/events";
import { type Icon, IconFile } from "@tabler/icons-react";
import type { TFunction } from "i18next";
import { z } from "zod";
import { resourceIcons } from "./event-icons.ts";

/** An event as another server may tell it: it may know kinds of resources that the contract does not. */
export const eventRecord = eventItem.extend({ resourceType: z.string() });
export type EventRecord = z.infer<typeof eventRecord>;
export const eventRecords = { ...eventList, item: eventRecord };

/** What an event is about, for people; an unknown kind under the server's own name. */
export function resourceLabel(type: string, t: TFunction): string {
  const { data: known } = resourceType.safeParse(type);
  return known ? t(`eventResource.${resourceTypeFilter[known]}`) : type.toLowerCase().replaceAll("_", " ");
}

export function resourceIcon(type: string): Icon {
  const { data: known } = resourceType.safeParse(type);
  return known ? resourceIcons[known] : IconFile;
}
