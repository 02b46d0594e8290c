import { isBreaking } from "@packhouse/contract/review/breaking";
import type { ReviewLevel } from "@packhouse/contract/review/release";
import { type SignalLevel, signalLevels } from "@packhouse/contract/review/signals";
import { IconLoader2 } from "@tabler/icons-react";
import type { TFunction } from "i18next";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { formatNumber } from "../../../language/i18n.ts";
import loadingStyles from "../../../ui/styles/loading.module.css";
import type { Tab } from "../data/address.ts";
import { missingNeeds } from "../data/needs.ts";
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
  /** Whether the release is compared with its usual base, as the queue counts. */
  usualBase: boolean;
  onOpen(tab: Tab): void;
}

/** The review in four lines, each of which opens its tab. */
export function Summary({ review, usualBase, onOpen }: SummaryProps) {
  const { t } = useTranslation();
  const cells: [label: string, tab: Tab, line: SummaryLine | undefined][] = [
    [t("review.tab.interface"), "interface", review && interfaceLine(review, t)],
    [t("review.signals"), "overview", review && signalsLine(review, usualBase, t)],
    [t("review.impact"), "dependencies", review && impactLine(review, t)],
    [t("review.checkResults"), "overview", review && checksLine(review, t)],
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

const ranked: readonly ReviewLevel[] = ["clear", ...signalLevels];
const rankOf = (level: ReviewLevel | null | undefined): number => ranked.indexOf(level ?? "clear");

/** The signals of the file that is shown, unless another file of the release deserves more attention. */
function signalsLine(review: ReleaseReview, usualBase: boolean, t: TFunction): SummaryLine | undefined {
  const own = ownSignalsLine(review, usualBase, t);
  const worst = review.release.files.toSorted((a, b) => rankOf(b.level) - rankOf(a.level))[0];
  if (!own || !worst?.level || rankOf(worst.level) <= rankOf(own.level)) return own;
  const level = t(`review.level.${worst.level}`);
  return { level: worst.level, strong: t("review.inAnotherFile", { level, file: worst.fileName }) };
}

function ownSignalsLine(
  { comparison, release }: ReleaseReview,
  usualBase: boolean,
  t: TFunction,
): SummaryLine | undefined {
  if (!comparison) return undefined;
  const countOf = (level: SignalLevel) => comparison.signals.fresh.filter((signal) => signal.level === level).length;
  const counted = signalLevels.toReversed().flatMap((level) => {
    const count = countOf(level);
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
  const hasMore = usualBase && release.files.length > 1 && release.signals[first.level] > countOf(first.level);
  const rest = [...others.map(({ text }) => text), ...(hasMore ? [t("review.moreInAnotherFile")] : [])];
  return { level: first.level, strong: first.text, more: rest.join(", ") };
}

function impactLine({ impact, release }: ReleaseReview, t: TFunction): SummaryLine | undefined {
  if (!impact) return undefined;
  const { dependentsTotal: count, wouldBreak } = impact;
  const missing = missingNeeds(impact.needs);
  const lacks = missing.length > 0 ? t("review.needsMissing", { count: missing.length, name: missing[0] }) : undefined;
  if (count === 0) {
    const unneeded = t(release.base ? "review.impactNone" : "review.impactNew");
    return lacks === undefined
      ? { level: "clear", strong: unneeded }
      : { level: "warning", strong: lacks, more: unneeded };
  }
  const needed = t("review.needIt", { count, formatted: formatNumber(count) });
  const breaks = wouldBreak > 0 ? [t("review.wouldBreak", { count: wouldBreak })] : [];
  if (lacks !== undefined) return { level: "warning", strong: lacks, more: [needed, ...breaks].join(", ") };
  return { level: wouldBreak > 0 ? "warning" : "clear", strong: [needed, ...breaks].join(", ") };
}

/** What tools have reported; first, what the repository requires and what has not passed. */
function checksLine({ checks: { checks, required, missing } }: ReleaseReview, t: TFunction): SummaryLine {
  if (missing.length > 0)
    return {
      level: "warning",
      strong: t("review.checksMissing", { count: missing.length }),
      more: missing.join(", "),
    };
  const failed = checks.filter(({ state }) => state === "failed").length;
  const passed = checks.filter(({ state }) => state === "passed").length;
  const havePassed = passed > 0 ? t("review.checksPassed", { count: passed }) : undefined;
  if (failed > 0)
    return {
      level: "warning",
      strong: t("review.checksFailed", { count: failed }),
      ...(havePassed === undefined ? {} : { more: havePassed }),
    };
  if (required.length > 0) return { level: "clear", strong: t("review.checksMet") };
  return { level: havePassed ? "clear" : "info", strong: havePassed ?? t("review.checksNone") };
}
