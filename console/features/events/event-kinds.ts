import { type anyEventType, eventList, eventType, resourceTypeFilter } from "@packhouse/contract/events";
import { securityEventTypes, securityResourceFilter } from "@packhouse/contract/security-events";
import { technology } from "@packhouse/contract/technology";
import { queryOptions } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { packageNamesLike, repositoryNames, userLogins } from "../../api/options.ts";
import { choices, type FilterField, type NotShown, notShown } from "../../list/define-list.ts";
import { isSecurityEvent } from "./event-link.ts";

/** Events of packages and repositories are listed separately from sign-ins and account changes. */
export type EventKind = "activity" | "security";

const typeField = (options: readonly (typeof anyEventType.options)[number][]): FilterField => ({
  label: "filter.eventType",
  ...choices(options, (value) => `event.${value}`),
});

type ResourceFilter =
  | (typeof resourceTypeFilter)[keyof typeof resourceTypeFilter]
  | (typeof securityResourceFilter)[keyof typeof securityResourceFilter];
const resourceField = (options: readonly ResourceFilter[]): FilterField => ({
  label: "filter.resourceType",
  ...choices(options, (value) => `eventResource.${value}`),
});

const period = {
  fromDate: { kind: "date", end: "from", label: "filter.fromDate" },
  toDate: { kind: "date", end: "to", label: "filter.toDate" },
} as const satisfies Record<string, FilterField>;

// Only administrators may list users; others type a name.
const author: FilterField = {
  kind: "picker",
  label: "filter.user",
  options: userLogins,
  role: "admin",
  otherwise: "search",
};

type EventFilters = Readonly<Record<keyof typeof eventList.filters, FilterField | NotShown>>;

const ofSecurity = notShown("security events have none");

export const filterFields: Record<EventKind, EventFilters> = {
  activity: {
    technology: { kind: "choices", label: "filter.technology", testId: "technologies", options: technology.options },
    eventType: typeField(eventType.options),
    resourceType: resourceField(Object.values(resourceTypeFilter)),
    ...period,
    repositoryName: { kind: "picker", label: "filter.repository", options: repositoryNames },
    packageName: { kind: "picker", label: "filter.package", options: packageNamesLike },
    userName: author,
    packageVersion: notShown("a package's page links to its events"),
    address: notShown("only security events have one"),
    purged: notShown("shown without a question"),
    security: notShown("it is the switch above"),
  },
  security: {
    address: { kind: "search", label: "filter.address" },
    eventType: typeField(securityEventTypes),
    resourceType: resourceField(Object.values(securityResourceFilter)),
    ...period,
    userName: author,
    technology: ofSecurity,
    repositoryName: ofSecurity,
    packageName: ofSecurity,
    packageVersion: ofSecurity,
    purged: ofSecurity,
    security: notShown("it is the switch above"),
  },
};

/** Whether the server has security events: one that does not know them sends other events, or refuses. */
export const hasSecurityEvents = queryOptions({
  queryKey: ["has security events"],
  queryFn: async ({ signal }) => {
    const { content } = await api.list(eventList, "security=true&page=0&size=1", signal);
    return content.every(isSecurityEvent);
  },
  retry: false,
  staleTime: Number.POSITIVE_INFINITY,
  meta: { shownInPlace: true },
});
