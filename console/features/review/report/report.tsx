import { useEffect, useState } from "react";
import { createPortal, flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import { formatDateTime, formatSize } from "../../../language/i18n.ts";
import { oncePerRelease } from "../data/decisions.ts";
import { nameOf, type ReleaseReview } from "../data/queries.ts";
import { Section } from "../parts/section.tsx";
import { Checks, Fields, Indicators } from "../tabs/facts.tsx";
import { Dependents, Installs } from "../tabs/impact.tsx";
import { InterfaceList } from "../tabs/interface-list.tsx";
import { SignalList } from "../tabs/signals.tsx";
import styles from "./report.module.css";

/** One page for print or PDF: all that is known about the release. There only while the page is printed. */
export function Report({ review }: { review: ReleaseReview }) {
  const [printing, setPrinting] = useState(false);
  useEffect(() => {
    const print = window.matchMedia("print");
    const update = () => flushSync(() => setPrinting(print.matches));
    print.addEventListener("change", update);
    return () => print.removeEventListener("change", update);
  }, []);
  return printing ? createPortal(<Page review={review} />, document.body) : null;
}

function Page({ review }: { review: ReleaseReview }) {
  const { t } = useTranslation();
  const { release, comparison, impact, comments, decisions, assessment } = review;
  return (
    <main className={styles.report} data-testid="review-report">
      <h1>{t("review.reportTitle", { name: nameOf(release) })}</h1>
      <p>
        {release.repository.name} · {t("review.submittedBy")} {release.submitter.name},{" "}
        {formatDateTime(release.created)}
        {release.base && ` · ${t("review.base")} ${release.base.version}`}
      </p>
      {release.changes !== "" && <p className={styles.text}>{release.changes}</p>}
      <Section level={2} title={t("review.files")}>
        <ul>
          {release.files.map(({ submissionId, fileName, size }) => (
            <li key={submissionId}>
              {fileName}, {formatSize(size)}
            </li>
          ))}
        </ul>
      </Section>
      {comparison && (
        <>
          <Section level={2} title={t("review.signals")}>
            <SignalList signals={comparison.signals.fresh} />
          </Section>
          <Section level={2} title={t("review.fileList")}>
            <ul>
              {comparison.files.map(({ path, change, added, removed, sha256 }) => (
                <li key={path}>
                  {t(`review.change.${change}`)}: {path} +{added ?? 0} −{removed ?? 0}
                  {sha256 !== null && (
                    <span className={styles.digest}>
                      {" "}
                      {t("review.digest")} {sha256}
                    </span>
                  )}
                </li>
              ))}
            </ul>
          </Section>
          <Section level={2} title={t("review.tab.interface")}>
            <InterfaceList changes={comparison.interface.changes} />
          </Section>
          <Section level={2} title={t("review.metadata")}>
            <Fields fields={comparison.fields} />
          </Section>
          <Section level={2} title={t("review.indicators")}>
            <Indicators indicators={comparison.indicators} />
          </Section>
        </>
      )}
      {impact && (
        <Section level={2} title={t("review.impact")}>
          <Dependents dependents={impact.dependents} />
          <Installs impact={impact} />
        </Section>
      )}
      <Section level={2} title={t("review.checkResults")}>
        <Checks checks={review.checks} />
      </Section>
      <Section level={2} title={t("review.tab.conversation")}>
        <ul>
          {comments
            .filter(({ deleted }) => !deleted)
            .map((comment) => (
              <li key={comment.id} className={styles.text}>
                <b>{comment.author.name}</b>, {formatDateTime(comment.created)}
                {comment.path !== null && `, ${comment.path}:${comment.line ?? ""}`}: {comment.text}
              </li>
            ))}
        </ul>
      </Section>
      {assessment && (
        <Section level={2} title={t("review.assessment")}>
          <p className={styles.text}>
            {t(`review.risk.${assessment.category}`)},{" "}
            {t("review.assessedBy", { user: assessment.user.name, when: formatDateTime(assessment.time) })}
            {assessment.comment !== "" && `: ${assessment.comment}`}
          </p>
        </Section>
      )}
      <Section level={2} title={t("review.decision")}>
        <ul>
          {oncePerRelease(decisions).map(({ id, decision, user, time, reason }) => (
            <li key={id} className={styles.text}>
              {t(`review.decided.${decision}`, { user: user.name, name: nameOf(release), when: formatDateTime(time) })}
              {reason !== "" && `: ${reason}`}
            </li>
          ))}
        </ul>
      </Section>
      <p>
        {t("review.printed")} {formatDateTime(new Date().toISOString())}
      </p>
    </main>
  );
}
