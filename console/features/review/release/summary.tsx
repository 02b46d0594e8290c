import { isBreaking } from "@packhouse/contract/review/breaking";
import type { ReviewLevel } from "@packhouse/contract/review/release";
import { signalLevels } from "@packhouse/contract/review/signals";
import { IconLoader2 } from "@tabler/icons-react";
import type { TFunction } from "i18next";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { formatNumber } from "../../../language/i18n.ts";
import loadingStyles from "../../../ui/styles/loading.module.css";
import type { Tab } from "../data/address.ts";
import type { ReleaseReview } from "../data/queries.ts";
import { Level } from "../parts/level.tsx";
import styles from "./summary.module.css";

/** One line of the summary: how much it matters, and its text. */
interface SummaryLine {
  level: ReviewLevel;
  strong: string;
  more?: string;
}

interface SummaryProps {
  review: ReleaseReview | undefined;
  onOpen(tab: Tab): void;
}

/** The review in four lines, each of which opens its tab. */
export function Summary({ review, onOpen }: SummaryProps) {
  const { t } = useTranslation();
  const cells: [label: string, tab: Tab, line: SummaryLine | undefined][] = [
    [t("review.tab.interface"), "interface", review && interfaceLine(review, t)],
    [t("review.signals"), "overview", review && signalsLine(review, t)],
    [t("review.impact"), "dependencies", review && impactLine(review, t)],
    [t("review.checks"), "overview", review && checksLine(review, t)],
  ];
  return (
    <section className={styles.summary} aria-label={t("review.summary")} data-testid="review-summary">
      {cells.map(([label, tab, line]) => (
        <button key={label} type="button" className={styles.line} onClick={() => onOpen(tab)}>
          <span className={styles.level}>
            {line ? (
              <Level level={line.level} quiet />
            ) : (
              <IconLoader2 size={16} className={loadingStyles.spin} aria-hidden />
            )}
          </span>
          <span className={styles.label}>{label}</span>
          <Sentence line={line} />
        </button>
      ))}
    </section>
  );
}

function Sentence({ line }: { line: SummaryLine | undefined }): ReactNode {
  if (!line)
    return (
      <span className={styles.sentence}>
        <span className={loadingStyles.skeleton} style={{ width: 120, margin: "3px 0" }} />
      </span>
    );
  return (
    <span className={styles.sentence}>
      {line.strong} {line.more && <span className={styles.more}>{line.more}</span>}
    </span>
  );
}

function interfaceLine({ comparison }: ReleaseReview, t: TFunction): SummaryLine | undefined {
  if (!comparison) return undefined;
  const { changes, result, claim } = comparison.interface;
  const broken = changes.filter(isBreaking).length;
  if (result === "breaking")
    return {
      level: claim === "major" ? "notice" : "warning",
      strong: t("review.breaking", { count: broken }),
      more: t(`review.claim.${claim}`),
    };
  if (result === "new")
    return { level: "info", strong: t("review.result.new"), more: t("review.newEntries", { count: changes.length }) };
  return {
    level: result === "unknown" ? "info" : "clear",
    strong: t(`review.result.${result}`),
    ...(result === "features" ? { more: t("review.newEntries", { count: changes.length }) } : {}),
  };
}

function signalsLine({ comparison, release }: ReleaseReview, t: TFunction): SummaryLine | undefined {
  if (!comparison) return undefined;
  const counted = signalLevels.toReversed().flatMap((level) => {
    const count = comparison.signals.fresh.filter((signal) => signal.level === level).length;
    return count > 0 ? [{ level, text: t(`review.count.${level}`, { count, formatted: formatNumber(count) }) }] : [];
  });
  const [first, ...others] = counted;
  const incomplete = release.incomplete || comparison.signals.fresh.some(({ id }) => id === "incomplete");
  if (incomplete)
    return {
      level: first?.level === "danger" ? "danger" : "warning",
      strong: t("review.incomplete"),
      more: first ? `${first.text} ${t("review.soFar")}` : "",
    };
  if (!first) return { level: "clear", strong: t("review.noSignals") };
  return { level: first.level, strong: first.text, more: others.map(({ text }) => text).join(", ") };
}

function impactLine({ impact, release }: ReleaseReview, t: TFunction): SummaryLine | undefined {
  if (!impact) return undefined;
  const { dependentsTotal: count, wouldBreak } = impact;
  if (count === 0) return { level: "clear", strong: t(release.base ? "review.impactNone" : "review.impactNew") };
  const needed = t("review.needIt", { count, formatted: formatNumber(count) });
  return wouldBreak > 0
    ? { level: "warning", strong: `${needed}, ${t("review.wouldBreak", { count: wouldBreak })}` }
    : { level: "clear", strong: needed };
}

function checksLine({ checks: { required, missing } }: ReleaseReview, t: TFunction): SummaryLine {
  if (missing.length > 0)
    return {
      level: "warning",
      strong: t("review.checksMissing", { count: missing.length }),
      more: missing.join(", "),
    };
  return { level: "clear", strong: t(required.length > 0 ? "review.checksMet" : "review.checksNone") };
}
