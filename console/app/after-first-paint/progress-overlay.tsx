import { Loader } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useProgress } from "../../ui/progress.ts";
import styles from "./progress-overlay.module.css";

/** Covers everything while a download runs; fast ones never show it. */
export function ProgressOverlay() {
  const { t } = useTranslation();
  if (!useProgress()) return null;
  return (
    <div className={styles.overlay} role="status" aria-label={t("list.loading")} data-testid="progress">
      <Loader size={40} />
    </div>
  );
}
