import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import buttonStyles from "../../../ui/styles/button.module.css";
import emptyStyles from "../../../ui/styles/empty.module.css";
import { TextButton } from "../parts/text-button.tsx";

/** Why there is nothing to decide, and what helps. */
export function EmptyQueue({ filtered, onReset }: { filtered: boolean; onReset(): void }) {
  const { t } = useTranslation();
  return (
    <div className={emptyStyles.empty} data-testid="review-empty">
      <svg width="96" height="68" viewBox="0 0 120 84" fill="none" stroke="currentColor" strokeWidth="2" aria-hidden>
        <path d="M18 80V35L60 6l42 29v45z M6 80h108" strokeLinejoin="round" />
        <circle cx="45" cy="65" r="12" strokeDasharray="4 5" />
        <rect x="63" y="54" width="24" height="24" rx="2" strokeDasharray="4 5" />
      </svg>
      <strong>{filtered ? t("review.nothingFound") : t("review.nothingWaits")}</strong>
      {filtered ? (
        <TextButton onPress={onReset}>{t("review.resetFilter")}</TextButton>
      ) : (
        <>
          <span>{t("review.nothingWaitsHint")}</span>
          <Link to="/submissions" search={{ state: "ACCEPTED,REJECTED" }} className={buttonStyles.button}>
            {t("review.lastDecisions")}
          </Link>
        </>
      )}
    </div>
  );
}
