import { z } from "zod";
import { links } from "./links.ts";
import { anyOf, anyTechnology, flag, fromDate, listContract, toDate } from "./list-contract.ts";
import { userRef } from "./references.ts";

export const eventType = z.enum(["create", "delete", "update", "upload", "republish"]);
export type EventType = z.infer<typeof eventType>;

/** Names of resource types in answers, with the spelling that the filter of the list uses. */
export const resourceTypeFilter = {
  PACKAGE: "package",
  REPOSITORY: "repository",
  SUBMISSION: "submission",
  REPOSITORY_MAINTAINER: "repositoryMaintainer",
  PACKAGE_MAINTAINER: "packageMaintainer",
  USER: "user",
  ACCESS_TOKEN: "accessToken",
} as const;
export const resourceType = z.enum([
  "PACKAGE",
  "REPOSITORY",
  "SUBMISSION",
  "REPOSITORY_MAINTAINER",
  "PACKAGE_MAINTAINER",
  "USER",
  "ACCESS_TOKEN",
]);
export type ResourceType = z.infer<typeof resourceType>;

export const changedProperty = z.object({ property: z.string(), valueBefore: z.string(), valueAfter: z.string() });
export type ChangedProperty = z.infer<typeof changedProperty>;

export const eventItem = z.object({
  id: z.int(),
  /** Technology of the resource; for people and tokens the product and its version. */
  technology: z.string(),
  time: z.string(),
  user: userRef,
  eventType,
  resourceId: z.int(),
  resourceType,
  changedProperties: z.array(changedProperty),
  /** The resource as it is now, by its type. */
  relatedResource: z.record(z.string(), z.unknown()),
  /** One sentence on what happened. */
  description: z.string(),
  links,
});
export type EventItem = z.infer<typeof eventItem>;

/** Flags that decide which events exist for a caller; the list, single events and the export take the same. */
export const eventFlags = { purged: flag };

/** `GET /events` */
export const eventList = listContract({
  path: "/events",
  item: eventItem,
  filters: {
    technology: anyTechnology,
    userName: anyOf(),
    eventType: anyOf(),
    resourceType: anyOf(),
    fromDate,
    toDate,
    packageName: anyOf(),
    packageVersion: anyOf(),
    repositoryName: anyOf(),
    ...eventFlags,
  },
  sorts: ["id", "time"],
  defaultSort: { field: "time", direction: "desc" },
});
