import { IconPlugConnectedX } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { useConnectionLost } from "../../api/lost-connection.ts";
import styles from "./offline-banner.module.css";

/** Shows that the server is unreachable and that the console keeps trying. */
export function OfflineBanner() {
  const { t } = useTranslation();
  if (!useConnectionLost()) return null;
  return (
    <div className={styles.banner} role="status" data-testid="offline">
      <IconPlugConnectedX size={18} stroke={1.75} aria-hidden /> {t("message.offline")}
    </div>
  );
}
