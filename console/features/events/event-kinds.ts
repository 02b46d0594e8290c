import { anyEventType, eventList, eventType, resourceTypeFilter } from "@packhouse/contract/events";
import { securityEventTypes, securityResourceFilter } from "@packhouse/contract/security-events";
import { technology } from "@packhouse/contract/technology";
import { queryOptions } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { packageNamesLike, repositoryNames, userLogins } from "../../api/options.ts";
import type { FilterField } from "../../list/define-list.ts";
import { isSecurityEvent } from "./event-link.ts";

/** What happened to packages and repositories, and who signed in and changed accounts, are listed apart. */
export type EventKind = "activity" | "security";

const typeField = (options: readonly (typeof anyEventType.options)[number][]): FilterField => ({
  kind: "choices",
  label: "filter.eventType",
  options: [...options].sort(),
  optionLabel: (t, value) => t(`event.${anyEventType.parse(value)}`),
});

type ResourceFilter =
  | (typeof resourceTypeFilter)[keyof typeof resourceTypeFilter]
  | (typeof securityResourceFilter)[keyof typeof securityResourceFilter];
const resourceField = (options: readonly ResourceFilter[]): FilterField => ({
  kind: "choices",
  label: "filter.resourceType",
  options,
  optionLabel: (t, value) => t(`eventResource.${value as ResourceFilter}`), // one of the options
});

const period = {
  fromDate: { kind: "date", end: "from", label: "filter.fromDate" },
  toDate: { kind: "date", end: "to", label: "filter.toDate" },
} as const satisfies Record<string, FilterField>;

// Only administrators may list people; the others type a name.
const author: FilterField = {
  kind: "picker",
  label: "filter.user",
  options: userLogins,
  role: "admin",
  otherwise: "search",
};

export const filterFields: Record<EventKind, Record<string, FilterField>> = {
  activity: {
    technology: { kind: "choices", label: "filter.technology", testId: "technologies", options: technology.options },
    eventType: typeField(eventType.options),
    resourceType: resourceField(Object.values(resourceTypeFilter)),
    ...period,
    repositoryName: { kind: "picker", label: "filter.repository", options: repositoryNames },
    packageName: { kind: "picker", label: "filter.package", options: packageNamesLike },
    userName: author,
  },
  security: {
    address: { kind: "search", label: "filter.address" },
    eventType: typeField(securityEventTypes),
    resourceType: resourceField(Object.values(securityResourceFilter)),
    ...period,
    userName: author,
  },
};

/** Whether the server has security events: one that does not know them sends others, or refuses. */
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
