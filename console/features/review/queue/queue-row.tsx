import { signalLevels } from "@packhouse/contract/review/signals";
import { IconEye } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { useDelayedActions } from "../../../calls/delayed-action.ts";
import { DelayedNote } from "../../../calls/delayed-note.tsx";
import { formatDateTime, formatRelative } from "../../../language/i18n.ts";
import { Avatar } from "../../../ui/display/avatar.tsx";
import { TechnologyTile } from "../../../ui/display/technology-tile.tsx";
import type { QueueAddress } from "../data/address.ts";
import { delayKey } from "../data/decide.ts";
import { nameOf, opensAt, type Release } from "../data/queries.ts";
import { Level } from "../parts/level.tsx";
import { LineCount } from "../parts/line-count.tsx";
import styles from "./queue-row.module.css";

interface QueueRowProps {
  item: Release;
  address: QueueAddress;
  current: boolean;
  selected: boolean;
  onSelect(on: boolean): void;
}

export function QueueRow({ item, address, current, selected, onSelect }: QueueRowProps) {
  const { t } = useTranslation();
  const delayed = useDelayedActions().get(delayKey(item));
  const watcher = item.looking[0];
  return (
    <li className={styles.row} data-current={current || undefined} data-testid={`release-${item.name}`}>
      <input
        type="checkbox"
        className={styles.box}
        aria-label={t("review.select", { name: nameOf(item) })}
        checked={selected}
        onChange={(event) => onSelect(event.currentTarget.checked)}
      />
      <span className={styles.tile}>
        <TechnologyTile technology={item.technology} />
      </span>
      <div className={styles.lines}>
        <div className={styles.line}>
          <Link
            to="/review/$technology/$id"
            params={{ technology: item.technology, id: opensAt(item) }}
            search={address}
            className={styles.name}
            data-opened={item.opened || undefined}
            title={item.name}
            aria-current={current || undefined}
            activeProps={{}}
          >
            {item.name}
          </Link>
          <span className={styles.version}>{item.version}</span>
          <time className={styles.end} dateTime={item.created} title={formatDateTime(item.created)}>
            {formatRelative(item.created)}
          </time>
        </div>
        <div className={styles.line}>
          {delayed ? <DelayedNote rowKey={delayKey(item)} label={delayed} /> : <QueueLevel item={item} />}
          <span className={styles.end}>
            {item.base === null && item.linesAdded !== null && `${t("review.newLines")} `}
            <LineCount added={item.linesAdded} removed={item.linesRemoved} />
          </span>
        </div>
        <div className={styles.line}>
          <span className={styles.clip}>
            {item.repository.name} · {item.submitter.name}
          </span>
          <span className={styles.end}>
            {item.assignee && (
              <span className={styles.watcher} title={t("review.assignedTo", { user: item.assignee.name })}>
                <Avatar name={item.assignee.name} /> {t("review.assigned")}
              </span>
            )}{" "}
            {watcher ? (
              <span className={styles.watcher} title={t("review.lookingAt", { count: 1, names: watcher.name })}>
                <Avatar name={watcher.name} /> {t("review.isLooking")}
              </span>
            ) : (
              item.opened && (
                <span className={styles.watcher} title={t("review.openedHint")}>
                  <IconEye size={14} stroke={2} aria-hidden /> {t("review.opened")}
                </span>
              )
            )}
          </span>
        </div>
      </div>
    </li>
  );
}

/** The highest level with its number. An incomplete inspection never counts as clear. */
function QueueLevel({ item: { level, signals, incomplete, changesAsked, checks } }: { item: Release }) {
  const { t } = useTranslation();
  if (changesAsked) return <Level level="info" text={t("review.changesAsked")} />;
  if (level === null) return <span>{t("review.notInspected")}…</span>;
  const highest = signalLevels.findLast((one) => signals[one] > 0);
  if (incomplete && highest !== "danger") return <Level level="warning" text={t("review.incomplete").toLowerCase()} />;
  if (checks.failed > 0 && highest !== "danger")
    return <Level level="warning" text={t("review.checksFailed", { count: checks.failed })} />;
  return highest ? (
    <Level level={highest} text={t(`review.count.${highest}`, { count: signals[highest] })} />
  ) : (
    <Level level="clear" />
  );
}
