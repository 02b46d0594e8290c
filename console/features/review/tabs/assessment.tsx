import { offers } from "@packhouse/contract/links";
import { assessRelease } from "@packhouse/contract/operations/review";
import { riskCategory } from "@packhouse/contract/review/conversation";
import { useTranslation } from "react-i18next";
import { call } from "../../../api/client.ts";
import { useChange } from "../../../calls/use-change.ts";
import textStyles from "../../../ui/styles/text.module.css";
import type { ReleaseReview } from "../data/queries.ts";
import { Section } from "../parts/section.tsx";
import styles from "./assessment.module.css";

/** What an approver thinks of the risk; it stays with the release. */
export function Assessment({ review: { release, assessment }, id }: { review: ReleaseReview; id: number }) {
  const { t } = useTranslation();
  const { busy, assess } = useAssessment(id);
  const words = t(`review.risk.${assessment?.category ?? "none"}`);
  return (
    <Section title={t("review.assessment")}>
      {offers(release, "assessment") ? (
        <select
          className={styles.category}
          aria-label={t("review.assessment")}
          value={assessment?.category ?? ""}
          aria-busy={busy}
          onChange={(event) => assess(riskCategory.options.find((one) => one === event.currentTarget.value) ?? null)}
          data-testid="review-assessment"
        >
          <option value="">{t("review.risk.none")}</option>
          {riskCategory.options.map((category) => (
            <option key={category} value={category}>
              {t(`review.risk.${category}`)}
            </option>
          ))}
        </select>
      ) : (
        words
      )}{" "}
      {assessment && <span className={textStyles.muted}>{assessment.user.name}</span>}
    </Section>
  );
}

function useAssessment(id: number) {
  const { t } = useTranslation();
  const chosen: { category: (typeof riskCategory.options)[number] | null } = { category: null };
  const { busy, change } = useChange(() => call(assessRelease, { id, body: { category: chosen.category } }), {
    success: t("review.assessment"),
    affects: [["review"]],
  });
  return {
    busy,
    assess: (category: typeof chosen.category) => {
      chosen.category = category;
      change();
    },
  };
}
