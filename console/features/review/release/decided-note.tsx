import { IconInfoCircle } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { formatRelative } from "../../../language/i18n.ts";
import { Markdown } from "../../../ui/prose/markdown.tsx";
import { nameOf, type ReleaseReview } from "../data/queries.ts";
import styles from "./decided-note.module.css";

/** Who decided on it, or asked for changes, and why. */
export function DecidedNote({ review: { state, decisions, release } }: { review: ReleaseReview }) {
  const { t } = useTranslation();
  if (state === "WAITING" && !release.changesAsked) return null;
  const last = decisions[0];
  return (
    <div className={styles.note} role="status" data-testid="review-decided">
      <IconInfoCircle size={18} aria-hidden />
      <div>
        <strong>
          {last
            ? t(`review.decided.${last.decision}`, {
                user: last.user.name,
                name: nameOf(release),
                when: formatRelative(last.time),
              })
            : t("review.decidedState")}
        </strong>
        {state !== "WAITING" && ` ${t("review.textStays")}`}
        {last && last.reason !== "" && <Markdown text={last.reason} testId="review-reason" />}
      </div>
    </div>
  );
}
