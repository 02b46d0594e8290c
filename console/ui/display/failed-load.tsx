import { IconAlertCircle } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";

interface FailedLoadProps {
  /** What went wrong. */
  sentence: string;
  traceId: string | undefined;
  onRetry(): void;
}

/** In place of what could not be loaded, with what an administrator needs to find out why. */
export function FailedLoad({ sentence, traceId, onRetry }: FailedLoadProps) {
  const { t } = useTranslation();
  return (
    <div className="ph-empty" role="alert">
      <IconAlertCircle size={28} aria-hidden />
      <strong>{sentence}</strong>
      {traceId && <span className="ph-mono">{`${t("message.traceId")} ${traceId}`}</span>}
      <button type="button" className="ph-link-button" onClick={onRetry}>
        {t("action.retry")}
      </button>
    </div>
  );
}
