import { IconAlertCircle } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import buttonStyles from "../styles/button.module.css";
import emptyStyles from "../styles/empty.module.css";
import textStyles from "../styles/text.module.css";

interface FailedLoadProps {
  /** What went wrong. */
  sentence: string;
  traceId: string | undefined;
  onRetry(): void;
}

/** In place of what failed to load, with the details that an administrator needs. */
export function FailedLoad({ sentence, traceId, onRetry }: FailedLoadProps) {
  const { t } = useTranslation();
  return (
    <div className={emptyStyles.empty} role="alert" data-testid="failed-load">
      <IconAlertCircle size={28} aria-hidden />
      <strong>{sentence}</strong>
      {traceId && <span className={textStyles.mono}>{`${t("message.traceId")} ${traceId}`}</span>}
      <button type="button" className={buttonStyles.linkButton} onClick={onRetry}>
        {t("action.retry")}
      </button>
    </div>
  );
}
