import "../../event-summary/texts.ts";
import { IconBell, IconRefresh } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Suspense, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { eventLabel } from "../../event-summary/event-word.ts";
import { subjectOf } from "../../event-summary/related-resource.ts";
import { resourceIcon, resourceLabel } from "../../event-summary/resource-label.ts";
import { formatDateTime } from "../../language/i18n.ts";
import { BarButton } from "../../layout/bar-button.tsx";
import { seenEvents, storeSeenEvents } from "../../session/seen-events.ts";
import { useOwnUser } from "../../session/use-session.ts";
import { Avatar } from "../../ui/display/avatar.tsx";
import { formatRelative } from "../../ui/display/relative-time.ts";
import { setTitleCount } from "../../ui/document-title.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { Popup, usePopup } from "../../ui/popups/use-popup.ts";
import buttonStyles from "../../ui/styles/button.module.css";
import pillStyles from "../../ui/styles/pill.module.css";
import textStyles from "../../ui/styles/text.module.css";
import styles from "./notification-bell.module.css";
import { concerns, grouped, isNew, type Notification, newestOf, notificationsQuery } from "./notifications.ts";

/** The newest events behind a bell; its badge counts the unseen ones. */
export function NotificationBell() {
  const { t } = useTranslation();
  const user = useOwnUser();
  const navigate = useNavigate();
  const [aboutMe, setAboutMe] = useState(false);
  const [seen, setSeen] = useState(() => seenEvents(user.id));
  const latest = useQuery(notificationsQuery(false));
  const all = newestOf(latest.data?.content ?? []);
  const popup = usePopup("dialog", {
    onOpen: () => void latest.refetch(),
    onClose: () => {
      const next = new Set([...seen, ...all.map(({ id }) => id), ...shown.map(({ id }) => id)]);
      setSeen(next);
      storeSeenEvents(user.id, next);
    },
  });
  const feed = useQuery({ ...notificationsQuery(aboutMe), enabled: popup.opened });
  const unseen = all.filter((event) => isNew(event, user, seen)).length;
  useEffect(() => {
    setTitleCount(unseen);
    return () => setTitleCount(0);
  }, [unseen]);

  const shown = newestOf((feed.data?.content ?? []).filter((event) => !aboutMe || concerns(event, user)));
  const entries = grouped(shown);
  const fresh = entries.filter(({ event }) => isNew(event, user, seen));
  const others = entries.filter(({ event }) => !isNew(event, user, seen));
  const show = ({ event }: Notification) => {
    popup.close();
    void navigate(subjectOf(event, user.role).page ?? { to: "/events", search: { open: String(event.id) } });
  };
  return (
    <>
      <span className={styles.bell}>
        <BarButton
          icon={IconBell}
          label={t("notification.bell", { count: unseen })}
          data-testid="topbar-notifications"
          {...popup.button}
        />
        {unseen > 0 && (
          <span className={styles.badge} aria-hidden data-testid="notifications-badge">
            {unseen}
          </span>
        )}
      </span>
      <Suspense>
        {popup.state && (
          <Popup
            state={popup.state}
            label={t("notification.title")}
            position="bottom-end"
            width={400}
            withinPortal={false}
            className={styles.notifications}
            testId="notifications-panel"
          >
            <div className={styles.head}>
              <h2>{t("notification.title")}</h2>
              <button
                type="button"
                className={pillStyles.pill}
                aria-pressed={aboutMe}
                data-applied={aboutMe || undefined}
                onClick={() => setAboutMe(!aboutMe)}
                data-testid="notifications-about-me"
              >
                {t("notification.aboutMe")}
              </button>
              <IconButton icon={IconRefresh} label={t("action.refresh")} onPress={() => void feed.refetch()} />
            </div>
            <div className={styles.progress} data-on={feed.isFetching || undefined} />
            {feed.error && <p className={textStyles.muted}>{t("message.notLoaded")}</p>}
            {fresh.length === 0 && !feed.error && <Divider text={t("notification.upToDate")} />}
            <Entries entries={fresh} onOpen={show} />
            {fresh.length > 0 && others.length > 0 && <Divider text={t("notification.alreadySeen")} />}
            <Entries entries={others} onOpen={show} />
            <button
              type="button"
              className={`${buttonStyles.button} ${styles.all}`}
              onClick={() => {
                popup.close();
                void navigate({ to: "/events" });
              }}
              data-testid="notifications-see-all"
            >
              {t("notification.seeAll")}
            </button>
          </Popup>
        )}
      </Suspense>
    </>
  );
}

const Divider = ({ text }: { text: string }) => <div className={styles.divider}>{text}</div>;

function Entries({ entries, onOpen }: { entries: readonly Notification[]; onOpen(entry: Notification): void }) {
  const { t } = useTranslation();
  const { role } = useOwnUser();
  if (entries.length === 0) return null;
  return (
    <ul className={styles.list}>
      {entries.map((entry) => {
        const { event, repeated } = entry;
        const Icon = resourceIcon(event.resourceType);
        const subject = subjectOf(event, role);
        return (
          <li key={event.id}>
            <button type="button" data-testid={`notification-${event.id}`} onClick={() => onOpen(entry)}>
              <Avatar name={event.user.name} />
              <span>
                <span className={textStyles.strong}>{event.user.name}</span>
                <span>
                  {`${eventLabel(event, t)}: `}
                  <span className={textStyles.mono}>{[subject.title, subject.version].filter(Boolean).join(" ")}</span>
                  {repeated > 0 && <span className={textStyles.muted}>{` ×${repeated + 1}`}</span>}
                </span>
                <time className={textStyles.muted} dateTime={event.time} title={formatDateTime(event.time)}>
                  {formatRelative(event.time)}
                </time>
              </span>
              <Icon size={18} stroke={1.75} role="img" aria-label={resourceLabel(event.resourceType, t)} />
            </button>
          </li>
        );
      })}
    </ul>
  );
}
