import type { EventItem } from "@packhouse/contract/events";
import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Zone } from "../../list/list-address.ts";
import pillStyles from "../../ui/styles/pill.module.css";
import { EventCard } from "./event-card.tsx";
import { byMonthAndDay } from "./event-times.ts";
import styles from "./timeline.module.css";

/** Events on a timeline, by month and day; both can be collapsed until the screen is left. */
export function Timeline({ events, zone }: { events: readonly EventItem[]; zone: Zone }) {
  const { i18n } = useTranslation();
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const toggle = (key: string) => {
    const next = new Set(folded);
    if (!next.delete(key)) next.add(key);
    setFolded(next);
  };
  return byMonthAndDay(events, zone).map(({ month, days }) => (
    <section key={month} aria-label={month}>
      <Fold
        level="month"
        text={`${month.slice(0, 4)} ${monthName(month, i18n.language)}`}
        name={month}
        folded={folded.has(month)}
        onToggle={() => toggle(month)}
      />
      {!folded.has(month) &&
        days.map(({ day, events }) => (
          <section key={day} aria-label={day}>
            <Fold level="day" text={day} name={day} folded={folded.has(day)} onToggle={() => toggle(day)} />
            {!folded.has(day) && (
              <ol className={styles.events}>
                {events.map((event) => (
                  <EventCard key={event.id} event={event} zone={zone} />
                ))}
              </ol>
            )}
          </section>
        ))}
    </section>
  ));
}

interface FoldProps {
  level: "month" | "day";
  text: string;
  name: string;
  folded: boolean;
  onToggle(): void;
}

function Fold({ level, text, name, folded, onToggle }: FoldProps) {
  const Chevron = folded ? IconChevronRight : IconChevronDown;
  const Heading = level === "month" ? "h2" : "h3";
  return (
    <Heading className={styles.fold}>
      <button
        type="button"
        className={pillStyles.pill}
        data-level={level}
        aria-expanded={!folded}
        data-testid={`events-${level}-${name}`}
        onClick={onToggle}
      >
        <Chevron size={16} aria-hidden /> {text}
      </button>
    </Heading>
  );
}

/** The nominative form of the month: "November", "listopad". */
function monthName(month: string, language: string): string {
  const [year = 0, number = 1] = month.split(".").map(Number);
  return new Intl.DateTimeFormat(language, { month: "long", timeZone: "UTC" }).format(Date.UTC(year, number - 1, 1));
}
