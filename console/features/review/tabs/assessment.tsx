import { Textarea } from "@mantine/core";
import { offers } from "@packhouse/contract/links";
import { assessRelease } from "@packhouse/contract/operations/review";
import { type RiskCategory, riskCategory } from "@packhouse/contract/review/conversation";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { call } from "../../../api/client.ts";
import { useChange } from "../../../calls/use-change.ts";
import { formatDateTime } from "../../../language/i18n.ts";
import { formatRelative } from "../../../ui/display/relative-time.ts";
import { BlockableButton } from "../../../ui/forms/blockable-button.tsx";
import { Markdown } from "../../../ui/prose/markdown.tsx";
import textStyles from "../../../ui/styles/text.module.css";
import type { ReleaseReview } from "../data/queries.ts";
import { Section } from "../parts/section.tsx";
import styles from "./assessment.module.css";

type Assessed = ReleaseReview["assessment"];

/** What an approver thinks of the risk; it stays with the release. */
export function Assessment({ review: { release, assessment }, id }: { review: ReleaseReview; id: number }) {
  const { t } = useTranslation();
  return (
    <Section title={t("review.assessment")}>
      {offers(release, "assessment") ? (
        // An assessment by another user replaces what the form shows.
        <AssessmentForm key={assessment?.time ?? "none"} assessment={assessment} id={id} />
      ) : (
        <>
          {t(`review.risk.${assessment?.category ?? "none"}`)}
          {assessment && assessment.comment !== "" && (
            <Markdown text={assessment.comment} testId="review-assessment-comment" />
          )}
        </>
      )}
      {assessment && (
        <p className={`${textStyles.muted} ${styles.by}`} title={formatDateTime(assessment.time)}>
          {t("review.assessedBy", { user: assessment.user.name, when: formatRelative(assessment.time) })}
        </p>
      )}
    </Section>
  );
}

function AssessmentForm({ assessment, id }: { assessment: Assessed; id: number }) {
  const { t } = useTranslation();
  const before = { category: assessment?.category ?? null, comment: assessment?.comment ?? "" };
  const [category, setCategory] = useState<RiskCategory | null>(before.category);
  const [comment, setComment] = useState(before.comment);
  const given = { category, comment: category === null ? "" : comment.trim() };
  const { busy, change } = useChange(() => call(assessRelease, { id, body: given }), {
    success: t(category === null ? "review.assessmentRemoved" : "review.assessmentSaved"),
    affects: [["review"]],
  });
  const changed = given.category !== before.category || given.comment !== before.comment;
  return (
    <div className={styles.form}>
      <select
        className={styles.category}
        aria-label={t("review.assessment")}
        value={category ?? ""}
        onChange={(event) => setCategory(riskCategory.options.find((one) => one === event.currentTarget.value) ?? null)}
        data-testid="review-assessment"
      >
        <option value="">{t("review.risk.none")}</option>
        {riskCategory.options.map((one) => (
          <option key={one} value={one}>
            {t(`review.risk.${one}`)}
          </option>
        ))}
      </select>
      {category !== null && (
        <Textarea
          aria-label={t("review.assessmentComment")}
          placeholder={t("review.assessmentComment")}
          autosize
          minRows={2}
          maxRows={10}
          className={styles.comment}
          value={comment}
          onChange={(event) => setComment(event.currentTarget.value)}
          data-testid="review-assessment-comment"
        />
      )}
      {changed && (
        <BlockableButton loading={busy} blocked={undefined} onClick={change} data-testid="review-assessment-save">
          {t("action.save")}
        </BlockableButton>
      )}
    </div>
  );
}
