import "./texts.ts";
import { eventList } from "@packhouse/contract/events";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { api, type ListRequest } from "../api/client.ts";
import { formatDateTime } from "../language/i18n.ts";
import { useOwnUser } from "../session/use-session.ts";
import { formatRelative } from "../ui/display/relative-time.ts";
import buttonStyles from "../ui/styles/button.module.css";
import linesStyles from "../ui/styles/lines.module.css";
import loadingStyles from "../ui/styles/loading.module.css";
import textStyles from "../ui/styles/text.module.css";
import { authorOf } from "./author.ts";
import { eventTypeIcon } from "./event-icons.ts";
import { eventLabel } from "./event-word.ts";
import { subjectOf } from "./related-resource.ts";
import { resourceLabel } from "./resource-label.ts";

/** The newest events that match a filter, one line each. */
export function RecentEvents({ query }: { query: ListRequest<typeof eventList> }) {
  const { t } = useTranslation();
  const { role } = useOwnUser();
  const { data, error, refetch } = useQuery({
    queryKey: ["list", eventList.path, "recent", query],
    queryFn: ({ signal }) => api.list(eventList, query, signal),
    meta: { shownInPlace: true },
  });
  if (error)
    return (
      <button type="button" className={buttonStyles.linkButton} onClick={() => void refetch()}>
        {t("action.retry")}
      </button>
    );
  if (!data) return <span className={loadingStyles.skeleton} />;
  if (data.content.length === 0) return <span className={textStyles.muted}>{t("event.none")}</span>;
  return (
    <ul className={linesStyles.lines}>
      {data.content.map((event) => {
        const Icon = eventTypeIcon(event.eventType);
        const subject = subjectOf(event, role);
        const name = [subject.title, subject.version].filter(Boolean).join(" ");
        return (
          <li key={event.id}>
            <Icon
              size={16}
              stroke={1.9}
              className={event.eventType === "delete" ? textStyles.bad : textStyles.good}
              aria-hidden
            />
            <span className={linesStyles.text}>
              {/* What was created is the record of a maintainer, not the person. */}
              {subject.login && `${resourceLabel(event.resourceType, t)} `}
              {subject.page ? (
                <Link {...subject.page} className={`${textStyles.mono} ${textStyles.link}`}>
                  {name}
                </Link>
              ) : (
                <span className={textStyles.mono}>{name}</span>
              )}{" "}
              {eventLabel(event, t)}{" "}
              <span className={textStyles.muted}>{t("event.by", { name: authorOf(event) })}</span>
            </span>
            <time className={textStyles.muted} dateTime={event.time} title={formatDateTime(event.time)}>
              {formatRelative(event.time)}
            </time>
          </li>
        );
      })}
    </ul>
  );
}
