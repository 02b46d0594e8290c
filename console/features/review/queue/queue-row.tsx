import { IconCheck, IconEye, IconLoader2, IconX } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { useDelayedActions } from "../../../calls/delayed-action.ts";
import { DelayedNote } from "../../../calls/delayed-note.tsx";
import { formatDateTime } from "../../../language/i18n.ts";
import { Avatar } from "../../../ui/display/avatar.tsx";
import { formatRelative } from "../../../ui/display/relative-time.ts";
import { TechnologyTile } from "../../../ui/display/technology-tile.tsx";
import { Checkbox } from "../../../ui/forms/checkbox.tsx";
import visibilityStyles from "../../../ui/styles/visibility.module.css";
import type { QueueAddress } from "../data/address.ts";
import { delayKey } from "../data/decide.ts";
import { nameOf, opensAt, type Release } from "../data/queries.ts";
import { LineCount } from "../parts/line-count.tsx";
import { QueueLevel } from "./queue-level.tsx";
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
      <span className={styles.box}>
        <Checkbox aria-label={t("review.select", { name: nameOf(item) })} checked={selected} onChange={onSelect} />
      </span>
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
          <CheckCounts checks={item.checks} />
          <span className={styles.end}>
            {item.base === null && item.linesAdded !== null && `${t("review.newLines")} `}
            <LineCount added={item.linesAdded} removed={item.linesRemoved} />
          </span>
        </div>
        <div className={styles.line}>
          <span className={styles.clip}>
            {item.repository.name} · {item.submitter.name}
          </span>
          <span className={`${styles.end} ${styles.people}`}>
            {item.assignee && (
              <span className={styles.watcher} title={t("review.assignedTo", { user: item.assignee.name })}>
                <Avatar name={item.assignee.name} />
                <span className={watcher || item.opened ? visibilityStyles.hidden : undefined}>
                  {t("review.assigned")}
                </span>
              </span>
            )}
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

/** How many checks have failed, passed, and run. */
function CheckCounts({ checks: { failed, passed, running } }: Pick<Release, "checks">) {
  const { t } = useTranslation();
  const counts = [
    { count: failed, text: "review.checksFailed", kind: "failed", Icon: IconX },
    { count: passed, text: "review.checksPassed", kind: "passed", Icon: IconCheck },
    { count: running, text: "review.checksRunning", kind: "running", Icon: IconLoader2 },
  ] as const;
  return counts.map(
    ({ count, text, kind, Icon }) =>
      count > 0 && (
        <span key={kind} className={styles.check} data-kind={kind} title={t(text, { count })}>
          <Icon size={14} stroke={2} aria-hidden />
          <span aria-hidden>{count}</span>
          <span className={visibilityStyles.hidden}>{t(text, { count })}</span>
        </span>
      ),
  );
}
