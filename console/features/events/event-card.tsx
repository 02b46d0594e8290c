import type { EventItem } from "@packhouse/contract/events";
import { hasRole } from "@packhouse/contract/roles";
import { IconArrowRight, IconLink, IconMail, IconUser } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { authorOf } from "../../event-summary/author.ts";
import { eventTypeIcon } from "../../event-summary/event-icons.ts";
import { eventTypeLabel } from "../../event-summary/event-word.ts";
import { subjectOf } from "../../event-summary/related-resource.ts";
import { resourceIcon, resourceLabel } from "../../event-summary/resource-label.ts";
import type { Zone } from "../../list/list-address.ts";
import { useOwnUser } from "../../session/use-session.ts";
import { copyText } from "../../ui/copy/copy-text.ts";
import nameCellStyles from "../../ui/display/name-cell.module.css";
import { shortened } from "../../ui/display/shortened.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import buttonStyles from "../../ui/styles/button.module.css";
import chipStyles from "../../ui/styles/chip.module.css";
import textStyles from "../../ui/styles/text.module.css";
import visibilityStyles from "../../ui/styles/visibility.module.css";
import { ChangedProperties } from "./changed-properties.tsx";
import { linkTo } from "./event-link.ts";
import { type EventTag, tagsOf } from "./event-tags.ts";
import { clockAt } from "./event-times.ts";
import { SecurityFacts } from "./security-facts.tsx";
import timelineStyles from "./timeline.module.css";

/** One event: its subject, its author, what changed, and the subject's current state. */
export function EventCard({ event, zone }: { event: EventItem; zone: Zone }) {
  const { t } = useTranslation();
  const user = useOwnUser();
  const TypeIcon = eventTypeIcon(event.eventType);
  const ResourceIcon = resourceIcon(event.resourceType);
  const subject = subjectOf(event, user.role);
  const tags = tagsOf(event, {
    t,
    seesServers: hasRole(user.role, "repositorymaintainer"),
    seesPaths: user.role === "admin",
  });
  const author = authorOf(event);
  const { time } = clockAt(event.time, zone);
  return (
    <li className={timelineStyles.event} data-testid={`event-${event.id}`}>
      <span className={timelineStyles.mark} data-type={event.eventType} aria-hidden>
        <TypeIcon size={16} stroke={1.9} />
      </span>
      <article className={timelineStyles.card}>
        <div className={timelineStyles.head}>
          <span className={nameCellStyles.line}>
            <span className={`${nameCellStyles.text} ${timelineStyles.title}`}>{subject.title}</span>
            {subject.login && <span className={nameCellStyles.version}>({subject.login})</span>}
            {subject.version && <span className={nameCellStyles.version}>v.{subject.version}</span>}
          </span>
          {subject.technology && <span className={chipStyles.chip}>{subject.technology}</span>}
          {subject.binary && <span className={chipStyles.chip}>{t("word.binary")}</span>}
          <span className={timelineStyles.time}>
            <time dateTime={event.time} title={event.time}>
              {zone === "utc" ? `${time} (UTC)` : time}
            </time>
            <Link
              to="/events"
              search={linkTo(event)}
              className={buttonStyles.iconButton}
              aria-label={t("event.permalink", { name: subject.title })}
              title={t("event.permalink", { name: subject.title })}
            >
              <IconLink size={16} stroke={1.9} aria-hidden />
            </Link>
            {subject.page && (
              <Link
                {...subject.page}
                className={buttonStyles.iconButton}
                aria-label={t("event.open", { name: subject.title })}
                title={t("event.open", { name: subject.title })}
              >
                <IconArrowRight size={18} stroke={1.75} aria-hidden />
              </Link>
            )}
          </span>
        </div>
        <div className={timelineStyles.what}>
          <span className={timelineStyles.resource}>{resourceLabel(event.resourceType, t)}</span>
          <span
            className={chipStyles.chip}
            data-tone={event.eventType === "delete" || event.eventType === "signInFailed" ? "red" : "green"}
          >
            {eventTypeLabel(event, t)}
          </span>
          <span className={textStyles.word}>
            <IconUser size={14} stroke={2} aria-hidden />
            {author}
          </span>
          {event.user.email && author === event.user.name && (
            <IconButton
              icon={IconMail}
              label={`${t("action.copy")} ${event.user.email}`}
              hint={event.user.email}
              onPress={() => void copyText(event.user.email)}
            />
          )}
        </div>
        <SecurityFacts event={event} name={subject.title} zone={zone} />
        <ChangedProperties event={event} />
        <div className={timelineStyles.tags}>
          {/* An event may be old: its card shows the current state of its subject. */}
          {tags.length > 0 && <span className={textStyles.muted}>{t("event.now")}</span>}
          {tags.map((tag) => (
            <Tag key={`${tag.hint} ${tag.text}`} tag={tag} />
          ))}
          <ResourceIcon size={28} stroke={1.4} className={timelineStyles.symbol} aria-hidden />
        </div>
      </article>
    </li>
  );
}

function Tag({ tag: { text, hint, labeled, tone } }: { tag: EventTag }) {
  const { t } = useTranslation();
  if (!hint)
    return (
      <span className={chipStyles.chip} data-tone={tone}>
        {text}
      </span>
    );
  return (
    <button
      type="button"
      className={`${chipStyles.chip} ${chipStyles.chipButton}`}
      title={`${hint}: ${text}`}
      onClick={() => void copyText(text)}
    >
      <span className={visibilityStyles.hidden}>{t("action.copy")}</span>
      <span className={labeled ? textStyles.muted : visibilityStyles.hidden}>{hint}</span>
      {shortened(text)}
    </button>
  );
}
