import type { Comparison, FieldChange } from "@packhouse/contract/review/comparison";
import { Fragment } from "react";
import { useTranslation } from "react-i18next";
import { formatDateTime, formatNumber } from "../../../language/i18n.ts";
import { explainedBy } from "../../../ui/hint.tsx";
import { Markdown } from "../../../ui/prose/markdown.tsx";
import chipStyles from "../../../ui/styles/chip.module.css";
import textStyles from "../../../ui/styles/text.module.css";
import visibilityStyles from "../../../ui/styles/visibility.module.css";
import type { ReleaseReview } from "../data/queries.ts";
import { Level } from "../parts/level.tsx";
import tableStyles from "../parts/table.module.css";
import styles from "./facts.module.css";

export function Fields({ fields }: { fields: readonly FieldChange[] }) {
  const { t } = useTranslation();
  if (fields.length === 0) return <p>{t("review.sameFields")}</p>;
  return (
    <table className={`${tableStyles.table} ${styles.facts}`}>
      <caption className={visibilityStyles.hidden}>{t("review.metadata")}</caption>
      <thead>
        <tr>
          <th scope="col">{t("review.field")}</th>
          <th scope="col">{t("review.before")}</th>
          <th scope="col">{t("review.after")}</th>
        </tr>
      </thead>
      <tbody>
        {fields.map(({ name, before, after }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td className={styles.was}>{before}</td>
            <td className={styles.now}>{after}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface IndicatorsProps {
  indicators: Comparison["indicators"];
  /** With what its dependencies need in turn. */
  needsInTotal: number | undefined;
}

export function Indicators({ indicators, needsInTotal }: IndicatorsProps) {
  const { t } = useTranslation();
  // Shares are sent as `12 of 14`.
  const shownShare = (value: string) => {
    const [place, total, ...others] = value.split(" of ");
    return total === undefined || others.length > 0 ? value : t("review.position", { place, total });
  };
  const shown = (value: string | null) =>
    value === null
      ? t("review.unknown")
      : value === "yes"
        ? t("review.indicatorYes")
        : value === "no"
          ? t("review.indicatorNo")
          : shownShare(value);
  return (
    <table className={`${tableStyles.table} ${styles.facts}`} data-testid="review-indicators">
      <caption className={visibilityStyles.hidden}>{t("review.indicators")}</caption>
      <thead>
        <tr>
          <th scope="col">{t("review.indicatorName")}</th>
          <th scope="col">{t("review.before")}</th>
          <th scope="col">{t("review.after")}</th>
        </tr>
      </thead>
      <tbody>
        {indicators.map(({ id, value, before, source }) => (
          <Fragment key={id}>
            <tr>
              <th
                scope="row"
                {...explainedBy(t(`review.indicatorHint.${id}`) + (source === null ? "" : ` (${source})`))}
              >
                {t(`review.indicator.${id}`)}
              </th>
              <td className={styles.value}>{before === null ? "" : shown(before)}</td>
              <td className={styles.value}>{shown(value)}</td>
            </tr>
            {id === "direct-dependencies" && needsInTotal !== undefined && (
              <tr>
                <th scope="row" {...explainedBy(t("review.needsInTotalHint"))}>
                  {t("review.needsInTotal")}
                </th>
                <td />
                <td className={styles.value}>{formatNumber(needsInTotal)}</td>
              </tr>
            )}
          </Fragment>
        ))}
      </tbody>
    </table>
  );
}

const levelOf = { queued: "info", running: "info", passed: "clear", failed: "warning", neutral: "info" } as const;

interface ChecksProps extends Pick<ReleaseReview, "checks"> {
  /** Shows what is folded otherwise: paper cannot be unfolded. */
  unfolded?: boolean;
}

/** What other tools reported. Required checks that nobody has reported are listed, too. */
export function Checks({ checks: { checks, required }, unfolded = false }: ChecksProps) {
  const { t } = useTranslation();
  const unreported = required.filter((name) => !checks.some((check) => check.name === name));
  if (checks.length + unreported.length === 0) return <p>{t("review.noChecks")}</p>;
  return (
    <ul className={styles.list}>
      {unreported.map((name) => (
        <li key={name} className={styles.check}>
          <Level level="warning" text={t("review.check.missing")} />
          <span>{name}</span> <span className={chipStyles.chip}>{t("review.required")}</span>
        </li>
      ))}
      {checks.map((check) => (
        <li key={check.id} className={styles.check}>
          <Level level={levelOf[check.state]} text={t(`review.check.${check.state}`)} />
          <b>{check.name}</b>
          {check.required && <span className={chipStyles.chip}>{t("review.required")}</span>}
          {check.link !== null && (
            <a className={textStyles.link} href={check.link} target="_blank" rel="noreferrer noopener">
              {t("review.checkReport")}
            </a>
          )}
          {(check.summary !== "" || check.annotations.length > 0 || check.history.length > 0) && (
            <details className={styles.summary} open={unfolded || undefined}>
              <summary>{t("review.details")}</summary>
              {check.summary !== "" && <Markdown text={check.summary} testId={`check-${check.id}`} />}
              <ul>
                {check.annotations.map(({ file, line, message }) => (
                  <li key={`${file} ${line} ${message}`}>
                    <span className={styles.value}>{line === null ? file : `${file}:${line}`}</span> {message}
                  </li>
                ))}
              </ul>
              {check.history.length > 0 && (
                <p className={textStyles.muted}>
                  {t("review.earlierResults")}{" "}
                  {check.history
                    .map(({ state, time }) => `${t(`review.check.${state}`)} ${formatDateTime(time)}`)
                    .join(", ")}
                </p>
              )}
            </details>
          )}
        </li>
      ))}
    </ul>
  );
}
