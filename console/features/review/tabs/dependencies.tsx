import type { Impact } from "@packhouse/contract/review/impact";
import { useTranslation } from "react-i18next";
import { formatNumber } from "../../../language/i18n.ts";
import visibilityStyles from "../../../ui/styles/visibility.module.css";
import type { ReleaseReview } from "../data/queries.ts";
import { Level } from "../parts/level.tsx";
import { Section } from "../parts/section.tsx";
import tableStyles from "../parts/table.module.css";
import styles from "./facts.module.css";
import { Dependents, Installs } from "./impact.tsx";

const levelOf = {
  here: "clear",
  builtIn: "clear",
  upstream: "info",
  elsewhere: "notice",
  unfit: "warning",
  missing: "warning",
} as const;

/** What it needs, what needs it, and what clients install. */
export function Dependencies({ review: { impact, comparison, release } }: { review: ReleaseReview }) {
  const { t } = useTranslation();
  return (
    <>
      {impact && (
        <Section title={t("review.installs")}>
          <Installs impact={impact} technology={release.technology} />
        </Section>
      )}
      {comparison && comparison.dependencies.length > 0 && (
        <Section title={t("review.dependencyChanges")}>
          <table className={`${tableStyles.table} ${styles.facts}`}>
            <caption className={visibilityStyles.hidden}>{t("review.dependencyChanges")}</caption>
            <thead>
              <tr>
                <th scope="col">{t("review.package")}</th>
                <th scope="col">{t("review.changeKind")}</th>
                <th scope="col">{t("review.before")}</th>
                <th scope="col">{t("review.after")}</th>
              </tr>
            </thead>
            <tbody>
              {comparison.dependencies.map(({ name, change, before, after }) => (
                <tr key={`${name} ${before?.field} ${after?.field}`}>
                  <th scope="row" className={styles.value}>
                    {name}
                  </th>
                  <td>{t(`review.dependencyChange.${change}`)}</td>
                  <td className={styles.was}>{before && `${before.field} ${before.constraint} ${before.condition}`}</td>
                  <td className={styles.now}>{after && `${after.field} ${after.constraint} ${after.condition}`}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Section>
      )}
      {impact && (
        <>
          <Section title={t("review.needs")}>
            {impact.needs.length === 0 ? <p>{t("review.needsNone")}</p> : <Needs needs={impact.needs} />}
          </Section>
          <Section title={t("review.neededBy")} hint={formatNumber(impact.dependentsTotal)}>
            {impact.dependents.length === 0 ? (
              <p>{t("review.neededByNone")}</p>
            ) : (
              <Dependents dependents={impact.dependents} />
            )}
            {impact.dependents.length < impact.dependentsTotal && (
              <p>{t("review.onlyFirst", { shown: impact.dependents.length, total: impact.dependentsTotal })}</p>
            )}
          </Section>
        </>
      )}
    </>
  );
}

/** What the release depends on, and where it is. */
export function Needs({ needs }: Pick<Impact, "needs">) {
  const { t } = useTranslation();
  return (
    <table className={`${tableStyles.table} ${styles.facts}`}>
      <caption className={visibilityStyles.hidden}>{t("review.needs")}</caption>
      <thead>
        <tr>
          <th scope="col">{t("review.package")}</th>
          <th scope="col">{t("review.constraint")}</th>
          <th scope="col">{t("review.field")}</th>
          <th scope="col">{t("column.status")}</th>
        </tr>
      </thead>
      <tbody>
        {needs.map(({ field, name, constraint, condition, found, version }) => (
          <tr key={`${field} ${name} ${condition}`}>
            <th scope="row" className={styles.value}>
              {name}
            </th>
            <td className={styles.value}>
              {constraint === "" ? t("review.anyVersion") : constraint} {condition}
            </td>
            <td>{field}</td>
            <td>
              <span className={styles.found}>
                <Level level={levelOf[found]} text={t(`review.found.${found}`)} />
                <span className={styles.value}>{version}</span>
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
