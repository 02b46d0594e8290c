import { eventList } from "@packhouse/contract/events";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { api } from "../api/client.ts";
import { formatDateTime, formatRelative } from "../language/i18n.ts";
import { authorOf } from "./author.ts";
import { eventTypeIcon } from "./event-icons.ts";
import { eventLabel } from "./event-word.ts";
import { subjectOf } from "./related-resource.ts";

/** The newest events that a filter finds, one line each. `query` is that of the list of events. */
export function RecentEvents({ query }: { query: string }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery({
    queryKey: ["list", eventList.path, "recent", query],
    queryFn: ({ signal }) => api.list(eventList, query, signal),
    meta: { shownInPlace: true },
  });
  if (error)
    return (
      <button type="button" className="ph-link-button" onClick={() => void refetch()}>
        {t("action.retry")}
      </button>
    );
  if (!data) return <span className="ph-skeleton" />;
  if (data.content.length === 0) return <span className="ph-muted">{t("event.none")}</span>;
  return (
    <ul className="ph-lines">
      {data.content.map((event) => {
        const Icon = eventTypeIcon(event.eventType);
        const subject = subjectOf(event);
        const name = [subject.title, subject.version].filter(Boolean).join(" ");
        return (
          <li key={event.id}>
            <Icon size={16} stroke={1.9} className={event.eventType === "delete" ? "ph-bad" : "ph-good"} aria-hidden />
            <span className="ph-line-text">
              {subject.page ? (
                <Link {...subject.page} className="ph-mono ph-link">
                  {name}
                </Link>
              ) : (
                <span className="ph-mono">{name}</span>
              )}{" "}
              {eventLabel(event, t)} <span className="ph-muted">{t("event.by", { name: authorOf(event) })}</span>
            </span>
            <time className="ph-muted" dateTime={event.time} title={formatDateTime(event.time)}>
              {formatRelative(event.time)}
            </time>
          </li>
        );
      })}
    </ul>
  );
}
