import { z } from "zod";
import { promised, type Received, readBy } from "./answer.ts";
import { instantText } from "./envelope.ts";
import { shortened } from "./limits.ts";
import { links } from "./links.ts";
import { anyOf, anyTechnology, flag, fromDate, listContract, toDate } from "./list-contract.ts";
import { userRef } from "./references.ts";
import { securityEventType, securityFields, securityResourceFilter } from "./security-events.ts";

export const eventType = z.enum(["create", "delete", "update", "upload", "republish"]);
export type EventType = z.infer<typeof eventType>;

/** Names of resource types in responses, with the spelling used by the list's filter. */
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

/** Kinds of events and of what they are about, security events included. */
export const anyEventType = z.enum([...eventType.options, ...securityEventType.options]);
export type AnyEventType = z.infer<typeof anyEventType>;
export const anyResourceFilter = { ...resourceTypeFilter, ...securityResourceFilter } as const;
export const anyResourceType = z.enum([...resourceType.options, "SERVER"]);
export type AnyResourceType = z.infer<typeof anyResourceType>;

export const changedProperty = z.object(
  promised({ property: z.string(), valueBefore: z.string(), valueAfter: z.string() }),
);
export type ChangedProperty = z.infer<typeof changedProperty>;

/** Some servers send the time of an event as seconds since 1970: a number, or split into seconds and nanoseconds. */
const eventTime = readBy(
  z.string(),
  z.union([
    z.string(),
    z.number().transform((seconds) => instantText(new Date(seconds * 1000))),
    z
      .object({ epochSecond: z.number(), nano: z.number().default(0) })
      .transform(({ epochSecond, nano }) => instantText(new Date(epochSecond * 1000 + Math.floor(nano / 1_000_000)))),
  ]),
);

export const eventItem = z.object({
  ...promised({
    id: z.int(),
    /** Technology of the resource; for users and tokens, the product and its version. */
    technology: z.string(),
    time: eventTime,
    user: userRef,
    eventType: readBy(anyEventType, z.string()),
    resourceId: z.int(),
    resourceType: readBy(anyResourceType, z.string()),
    changedProperties: z.array(changedProperty),
    /** The resource as it is now, by its type. */
    relatedResource: z.record(z.string(), z.unknown()),
    links,
  }),
  /** One sentence about what happened. */
  description: z.string(),
  shortened,
  ...securityFields,
});
/** An event from any server; it may have kinds of events and resources that this contract does not know. */
export type EventItem = Received<typeof eventItem>;

/** Flags that select which events a caller can see; shared by the list, single events and the export. */
export const eventFlags = {
  /** Include events of permanently deleted resources; for administrators. */
  purged: flag,
  /** Security events, and only those. */
  security: flag,
};

/** `GET /events` */
export const eventList = listContract({
  path: "/events",
  item: eventItem,
  filters: {
    technology: anyTechnology,
    userName: anyOf(),
    eventType: anyOf((value) => value, { known: anyEventType.options }),
    resourceType: anyOf((value) => value, { known: Object.values(anyResourceFilter) }),
    fromDate,
    toDate,
    packageName: anyOf(),
    packageVersion: anyOf(),
    repositoryName: anyOf(),
    /** For security events: where they came from. */
    address: anyOf(),
    ...eventFlags,
  },
  sorts: ["id", "time"],
  defaultSort: { field: "time", direction: "desc" },
});
