import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { formatNumber } from "../../../language/i18n.ts";
import textStyles from "../../../ui/styles/text.module.css";
import { type Tab, tabs } from "../data/address.ts";
import type { ReleaseReview } from "../data/queries.ts";
import styles from "./tab-bar.module.css";

interface TabBarProps {
  tab: Tab;
  review: ReleaseReview | undefined;
  onOpen(tab: Tab): void;
}

export function TabBar({ tab, review, onOpen }: TabBarProps) {
  const { t } = useTranslation();
  const bar = useRef<HTMLDivElement>(null);
  // Where there is little room, the tabs scroll sideways.
  useEffect(() => {
    const chosen = bar.current?.querySelector<HTMLElement>(`#review-tab-${tab}`);
    const around = bar.current?.parentElement;
    if (chosen && around) around.scrollLeft = chosen.offsetLeft - (around.clientWidth - chosen.offsetWidth) / 2;
  }, [tab]);
  const counts: Partial<Record<Tab, number | undefined>> = {
    files: review?.comparison?.files.length,
    interface: review?.comparison?.interface.changes.length,
    dependencies: review?.impact?.needs.length,
    conversation: review?.comments.filter(({ deleted }) => !deleted).length,
  };
  const move = (by: number) => {
    const to = tabs[(tabs.indexOf(tab) + by + tabs.length) % tabs.length];
    if (!to) return;
    onOpen(to);
    bar.current?.querySelector<HTMLElement>(`#review-tab-${to}`)?.focus();
  };
  return (
    <div className={styles.bar}>
      <div
        ref={bar}
        role="tablist"
        aria-label={t("review.tabs")}
        className={styles.tabs}
        onKeyDown={(event) => {
          if (event.key === "ArrowRight") move(1);
          else if (event.key === "ArrowLeft") move(-1);
          else return;
          event.preventDefault();
        }}
      >
        {tabs.map((one) => (
          <button
            key={one}
            type="button"
            role="tab"
            id={`review-tab-${one}`}
            aria-selected={one === tab}
            aria-controls="review-panel"
            tabIndex={one === tab ? 0 : -1}
            className={styles.tab}
            onClick={() => onOpen(one)}
            data-testid={`review-tab-${one}`}
          >
            {t(`review.tab.${one}`)}
            {counts[one] ? <span className={styles.count}>{formatNumber(counts[one])}</span> : null}
          </button>
        ))}
      </div>
      <span className={styles.keys} aria-hidden>
        <kbd className={textStyles.key}>1</kbd>–<kbd className={textStyles.key}>6</kbd>
      </span>
    </div>
  );
}
