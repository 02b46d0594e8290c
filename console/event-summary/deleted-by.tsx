import "./texts.ts";
import { type EventItem, eventList, type ResourceType, resourceTypeFilter } from "@packhouse/contract/events";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { api, type ListRequest } from "../api/client.ts";
import { formatDateTime } from "../language/i18n.ts";
import textStyles from "../ui/styles/text.module.css";

interface DeletedByProps {
  type: ResourceType;
  id: number;
  /** Narrows the search: filters of the list of events. */
  within?: ListRequest<typeof eventList>;
}

/** How many changes are searched. */
const mostChanges = "500";

/** Who deleted a record and when, according to the event log. */
export function DeletedBy({ type, id, within = {} }: DeletedByProps) {
  const { t } = useTranslation();
  const query: ListRequest<typeof eventList> = {
    ...within,
    resourceType: resourceTypeFilter[type],
    // A soft deletion is an update of the record.
    eventType: "update",
    size: mostChanges,
  };
  const { data } = useQuery({
    queryKey: ["list", eventList.path, "deletions", query],
    queryFn: ({ signal }) => api.list(eventList, query, signal),
    select: ({ content }) => content.find((event) => event.resourceId === id && isDeletion(event)),
    meta: { shownInPlace: true },
  });
  if (!data) return null;
  return (
    <p className={textStyles.muted} data-testid={`deleted-by-${id}`}>
      {t("event.deletedBy", { name: data.user.name, at: formatDateTime(data.time) })}
    </p>
  );
}

const isDeletion = ({ changedProperties }: EventItem): boolean =>
  changedProperties.some(({ property, valueAfter }) => property === "deleted" && valueAfter === "true");
