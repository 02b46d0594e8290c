import { useTranslation } from "react-i18next";
import { undo } from "./held-back.ts";

/** In place of actions while a call is held back: what it is about to do, and the way to stop it. */
export function HeldNote({ rowKey, label }: { rowKey: string; label: string }) {
  const { t } = useTranslation();
  return (
    <span className="ph-held" role="status">
      {label} …{" "}
      <button type="button" className="ph-link-button" data-testid="undo" onClick={() => undo(rowKey)}>
        {t("action.undo")}
      </button>
    </span>
  );
}
