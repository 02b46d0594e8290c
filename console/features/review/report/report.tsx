import type { Comparison } from "@packhouse/contract/review/comparison";
import { useEffect, useState } from "react";
import { createPortal, flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import { formatDateTime, formatNumber, formatSize } from "../../../language/i18n.ts";
import { comparedVersion } from "../data/compared-version.ts";
import { oncePerRelease } from "../data/decisions.ts";
import { nameOf, type ReleaseReview, useOtherReviews } from "../data/queries.ts";
import { Section } from "../parts/section.tsx";
import { Needs } from "../tabs/dependencies.tsx";
import { Checks, Fields, Indicators } from "../tabs/facts.tsx";
import { Dependents, Installs } from "../tabs/impact.tsx";
import { InterfaceList } from "../tabs/interface-list.tsx";
import { SignalList } from "../tabs/signals.tsx";
import styles from "./report.module.css";

interface ReportProps {
  review: ReleaseReview;
  /** The submission of the file that is compared. */
  id: number;
  /** The base that the user has chosen. */
  base: string | undefined;
}

/** One page for print or PDF: all that is known about the release. There only while the page is printed. */
export function Report(props: ReportProps) {
  const others = useOtherReviews(props.review, props.id);
  // It may come while the page is printed, if the release was still loading.
  const [printing, setPrinting] = useState(() => window.matchMedia("print").matches);
  useEffect(() => {
    const print = window.matchMedia("print");
    const update = () => flushSync(() => setPrinting(print.matches));
    setPrinting(print.matches);
    print.addEventListener("change", update);
    return () => print.removeEventListener("change", update);
  }, []);
  return printing ? createPortal(<Page {...props} others={others} />, document.body) : null;
}

/** The review as a document: everything is unfolded, and nothing depends on color. */
function Page({ review, id, base, others }: ReportProps & { others: ReadonlyMap<number, ReleaseReview> }) {
  const { t } = useTranslation();
  const { release, state, comparison, impact, comments, decisions, assessment, mayDecide } = review;
  const written = comments.filter(({ deleted }) => !deleted);
  const taken = oncePerRelease(decisions);
  return (
    <main className={styles.report} data-testid="review-report">
      <h1>{t("review.reportTitle", { name: nameOf(release) })}</h1>
      <p>
        {release.repository.name} · {t("review.submittedBy")} {release.submitter.name},{" "}
        {formatDateTime(release.created)}
      </p>
      {release.changes !== "" && <p className={styles.text}>{release.changes}</p>}
      <p>
        {t("review.reportState")}:{" "}
        {t(state === "WAITING" && release.changesAsked ? "review.waitingForChanges" : stateTexts[state])}
        {state === "WAITING" &&
          mayDecide.length > 0 &&
          ` · ${t("review.mayDecide")}: ${mayDecide.map(({ name }) => name).join(", ")}`}
      </p>
      <Section level={2} title={t("review.files")}>
        <ul>
          {release.files.map(({ submissionId, fileName, size, sha256, level }) => (
            <li key={submissionId}>
              {fileName}, {formatSize(size)}, {level ? t(`review.level.${level}`) : t("review.notInspected")}
              <span className={styles.digest}>
                {" "}
                {t("review.digest")} {sha256}
              </span>
            </li>
          ))}
        </ul>
      </Section>
      {comparison && <Compared review={review} comparison={comparison} id={id} base={base} />}
      {[...others].map(
        ([other, its]) =>
          its.comparison && (
            <Compared key={other} review={its} comparison={its.comparison} id={other} base={undefined} />
          ),
      )}
      {release.files.length > others.size + 1 && <p>{t("review.othersInspected")}</p>}
      {impact && (
        <>
          <Section level={2} title={t("review.impact")}>
            {impact.dependents.length === 0 ? (
              <p>{t("review.neededByNone")}</p>
            ) : (
              <Dependents dependents={impact.dependents} />
            )}
            <Installs impact={impact} technology={release.technology} />
          </Section>
          <Section level={2} title={t("review.needs")}>
            {impact.needs.length === 0 ? <p>{t("review.needsNone")}</p> : <Needs needs={impact.needs} />}
          </Section>
        </>
      )}
      <Section level={2} title={t("review.checkResults")}>
        <Checks checks={review.checks} unfolded />
      </Section>
      <Section level={2} title={t("review.tab.conversation")}>
        {written.length === 0 && <p>{t("review.noConversation")}</p>}
        <ul>
          {written.map((comment) => (
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
        {taken.length === 0 && <p>{t("review.noDecision")}</p>}
        <ul>
          {taken.map(({ id, decision, user, time, reason, passedOver }) => (
            <li key={id} className={styles.text}>
              {t(`review.decided.${decision}`, { user: user.name, name: nameOf(release), when: formatDateTime(time) })}
              {reason !== "" && `: ${reason}`}
              {passedOver.length > 0 && ` ${t("review.missingChecks", { names: passedOver.join(", ") })}`}
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

const stateTexts = {
  WAITING: "state.WAITING",
  ACCEPTED: "state.ACCEPTED",
  REJECTED: "state.REJECTED",
  CANCELLED: "state.CANCELLED",
} as const;

/** What one file of the release consists of, against its base. */
function Compared({ review, comparison, id, base }: ReportProps & { comparison: Comparison }) {
  const { t } = useTranslation();
  const { release, impact } = review;
  const version = comparedVersion(review, base);
  const { signals, files, added, removed, fields, indicators } = comparison;
  const file = release.files.find(({ submissionId }) => submissionId === id)?.fileName ?? "";
  return (
    <>
      <Section level={2} title={`${t("review.comparison")}: ${file}`}>
        <p>
          {version === undefined
            ? t("review.comparedWithNothing", { file })
            : base === undefined && release.base
              ? t("review.comparedWith", { file, version, repository: release.base.repository })
              : t("review.comparedWithChosen", { file, version })}
          . {t("review.totals", { added: formatNumber(added), removed: formatNumber(removed) })}.
        </p>
      </Section>
      <Section title={t("review.signals")}>
        {signals.fresh.length === 0 ? <p>{t("review.noSignals")}</p> : <SignalList signals={signals.fresh} />}
        {signals.unchanged.length > 0 && (
          <p>
            {t("review.unchanged", { count: signals.unchanged.length })}, {t("review.unchangedHint")}
          </p>
        )}
        {signals.gone.length > 0 && <p>{t("review.gone", { count: signals.gone.length })}</p>}
      </Section>
      <Section title={t("review.fileList")}>
        {files.length === 0 && <p>{t("review.noFiles")}</p>}
        <ul>
          {files.map(({ path, change, added: more, removed: less, sha256 }) => (
            <li key={path}>
              {t(`review.change.${change}`)}: {path} +{more ?? 0} −{less ?? 0}
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
      <Section title={t("review.tab.interface")}>
        {comparison.interface.changes.length === 0 ? (
          <p>{t(comparison.interface.result === "unknown" ? "review.interfaceUnknown" : "review.interfaceNone")}</p>
        ) : (
          <InterfaceList changes={comparison.interface.changes} />
        )}
      </Section>
      <Section title={t("review.metadata")}>
        <Fields fields={fields} />
      </Section>
      <Section title={t("review.indicators")}>
        <Indicators indicators={indicators} needsInTotal={impact?.needsInTotal} />
      </Section>
    </>
  );
}
