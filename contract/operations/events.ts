import { exportQuery, exportTypes } from "../event-export.ts";
import { eventFlags, eventItem, eventList } from "../events.ts";
import { list } from "../operation.ts";

export const listEvents = list(eventList, { permission: "readEvents", summary: "Events, newest first" });
export const exportEvents = {
  method: "GET",
  path: "/events/export",
  permission: "readEvents",
  summary: "All events that match the filter, newest first, as a file",
  answer: { file: Object.values(exportTypes) },
  query: exportQuery,
  codes: ["too.many.exports"],
} as const;
export const readEvent = {
  method: "GET",
  path: "/events/:id",
  permission: "readEvents",
  summary: "An event",
  answer: { data: eventItem },
  query: eventFlags,
  codes: ["event.notfound"],
} as const;

export const eventOperations = [listEvents, exportEvents, readEvent] as const;
