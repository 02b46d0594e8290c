import { useTranslation } from "react-i18next";
import { undo } from "./delayed-action.ts";

/** In place of actions while a call is delayed: what it is about to do, and the way to stop it. */
export function DelayedNote({ rowKey, label }: { rowKey: string; label: string }) {
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
