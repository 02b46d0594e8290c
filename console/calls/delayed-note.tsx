import { useTranslation } from "react-i18next";
import buttonStyles from "../ui/styles/button.module.css";
import { undo } from "./delayed-action.ts";
import styles from "./delayed-note.module.css";

/** In place of actions while a call is delayed: what is about to happen, and how to undo it. */
export function DelayedNote({ rowKey, label }: { rowKey: string; label: string }) {
  const { t } = useTranslation();
  return (
    <span className={styles.note} role="status">
      {label}…{" "}
      <button type="button" className={buttonStyles.linkButton} data-testid="undo" onClick={() => undo(rowKey)}>
        {t("action.undo")}
      </button>
    </span>
  );
}
