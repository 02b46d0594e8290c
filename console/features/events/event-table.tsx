import type { EventItem } from "@packhouse/contract/events";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { authorOf } from "../../event-summary/author.ts";
import { eventLabel } from "../../event-summary/event-word.ts";
import { subjectOf } from "../../event-summary/related-resource.ts";
import { resourceLabel } from "../../event-summary/resource-label.ts";
import type { Zone } from "../../list/list-address.ts";
import { useOwnUser } from "../../session/use-session.ts";
import tableStyles from "../../ui/styles/table.module.css";
import textStyles from "../../ui/styles/text.module.css";
import { ChangedProperties } from "./changed-properties.tsx";
import { linkTo } from "./event-link.ts";
import styles from "./event-table.module.css";
import { clockAt } from "./event-times.ts";
import { SecurityFacts } from "./security-facts.tsx";

/** The same events as rows: denser, for reading many. */
export function EventTable({ events, zone }: { events: readonly EventItem[]; zone: Zone }) {
  const { t } = useTranslation();
  const { role } = useOwnUser();
  return (
    <div className={tableStyles.frame}>
      <table className={tableStyles.table} data-testid="events-table">
        <caption>{t("nav.events")}</caption>
        <thead>
          <tr>
            <th scope="col" style={{ width: 150 }}>
              {t("event.time")}
              {zone === "utc" ? " (UTC)" : ""}
            </th>
            <th scope="col" style={{ width: 170 }}>
              {t("event.author")}
            </th>
            <th scope="col" style={{ width: 150 }}>
              {t("event.action")}
            </th>
            <th scope="col" style={{ width: "28%" }}>
              {t("event.subject")}
            </th>
            <th scope="col">{t("event.changes")}</th>
          </tr>
        </thead>
        <tbody>
          {events.map((event) => {
            const subject = subjectOf(event, role);
            const { day, time } = clockAt(event.time, zone);
            const name = [subject.title, subject.version].filter(Boolean).join(" ");
            return (
              <tr key={event.id} data-row data-testid={`event-${event.id}`}>
                <th scope="row">
                  <Link to="/events" search={linkTo(event)} className={textStyles.plainLink}>
                    <time dateTime={event.time}>{`${day} ${time}`}</time>
                  </Link>
                </th>
                <td data-label={t("event.author")}>{authorOf(event)}</td>
                <td data-label={t("event.action")}>{eventLabel(event, t)}</td>
                <td data-label={t("event.subject")} className={styles.wrap}>
                  <span className={textStyles.muted}>{resourceLabel(event.resourceType, t)} </span>
                  {subject.page ? (
                    <Link {...subject.page} className={`${textStyles.mono} ${textStyles.link}`}>
                      {name}
                    </Link>
                  ) : (
                    <span className={textStyles.mono}>{name}</span>
                  )}
                  {subject.place && <span className={`${textStyles.second} ${styles.place}`}>{subject.place}</span>}
                </td>
                <td data-label={t("event.changes")} className={styles.wrap}>
                  <SecurityFacts event={event} name={subject.title} zone={zone} />
                  <ChangedProperties event={event} heading={false} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
