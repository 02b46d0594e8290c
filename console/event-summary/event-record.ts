import { eventItem, eventList } from "@packhouse/contract/events";
import { z } from "zod";

/** An event as another server may tell it: it may know kinds of resources that the contract does not. */
export const eventRecord = eventItem.extend({ resourceType: z.string() });
export type EventRecord = z.infer<typeof eventRecord>;
export const eventRecords = { ...eventList, item: eventRecord };
