import { IconInfoCircle } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { Markdown } from "../../../ui/prose/markdown.tsx";
import { lastDecision } from "../data/decide.ts";
import type { ReleaseReview } from "../data/queries.ts";
import styles from "./decided-note.module.css";

/** Who decided on it, or asked for changes, and why. */
export function DecidedNote({ review }: { review: ReleaseReview }) {
  const { t } = useTranslation();
  const { state, decisions, release } = review;
  if (state === "WAITING" && !release.changesAsked) return null;
  const last = decisions[0];
  return (
    <div className={styles.note} data-testid="review-decided">
      <IconInfoCircle size={18} aria-hidden />
      <div>
        <strong>{lastDecision(review) ?? t("review.decidedState")}</strong>
        {last && last.reason !== "" && <Markdown text={last.reason} testId="review-reason" />}
      </div>
    </div>
  );
}
