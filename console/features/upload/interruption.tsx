import { Button } from "@mantine/core";
import { IconAlertTriangle, IconFileZip, IconPlugConnectedX, IconRefresh } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { useConnectionLost } from "../../api/lost-connection.ts";
import { formatNumber } from "../../language/i18n.ts";
import buttonStyles from "../../ui/styles/button.module.css";
import textStyles from "../../ui/styles/text.module.css";
import visibilityStyles from "../../ui/styles/visibility.module.css";
import { toast } from "../../ui/toasts.tsx";
import styles from "./interruption.module.css";
import { isRetryable, isUnfinished, lacksFile, retryAll, supplyFiles, type Upload } from "./upload-queue.ts";

/** What keeps files from being stored, and one button that continues with all of them. */
export function Interruption({ uploads }: { uploads: readonly Upload[] }) {
  const { t } = useTranslation();
  const isLost = useConnectionLost();
  const unfinished = uploads.filter(isUnfinished).length;
  const lacking = uploads.filter(lacksFile).length;
  const retryable = uploads.filter(isRetryable).length;
  const supply = (files: readonly File[]) => {
    if (supplyFiles(files) === 0) toast.warning(t("upload.otherFiles"));
  };
  return (
    <div role="status" data-testid="upload-interruption">
      {isLost && unfinished > 0 && (
        <p className={styles.note} data-state="paused">
          <IconPlugConnectedX size={18} className={textStyles.warn} aria-hidden />
          <span>{t("upload.paused", { count: unfinished, formatted: formatNumber(unfinished) })}</span>
        </p>
      )}
      {lacking > 0 && (
        <p className={styles.note}>
          <IconAlertTriangle size={18} className={textStyles.warn} aria-hidden />
          <span>{t("upload.reloaded", { count: lacking, formatted: formatNumber(lacking) })}</span>
          <label className={buttonStyles.button} data-testid="upload-supply">
            <IconFileZip size={18} stroke={1.75} aria-hidden />
            {t("upload.chooseAgain")}
            <input
              type="file"
              multiple
              className={visibilityStyles.hidden}
              onChange={({ currentTarget }) => {
                supply([...(currentTarget.files ?? [])]);
                currentTarget.value = ""; // allows selecting the same files again
              }}
            />
          </label>
        </p>
      )}
      {retryable > 1 && (
        <p className={styles.note}>
          <IconAlertTriangle size={18} className={textStyles.warn} aria-hidden />
          <span>{t("upload.trayFailed", { count: retryable, formatted: formatNumber(retryable) })}</span>
          <Button
            variant="default"
            leftSection={<IconRefresh size={18} stroke={1.75} aria-hidden />}
            onClick={retryAll}
            data-testid="upload-retry-all"
          >
            {t("upload.retryAll")}
          </Button>
        </p>
      )}
    </div>
  );
}
