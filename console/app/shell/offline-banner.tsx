import { IconPlugConnectedX } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { useConnectionLost } from "../../api/lost-connection.ts";

/** Says that the server is out of reach and that the console keeps trying. */
export function OfflineBanner() {
  const { t } = useTranslation();
  if (!useConnectionLost()) return null;
  return (
    <div className="ph-offline" role="status" data-testid="offline">
      <IconPlugConnectedX size={18} stroke={1.75} aria-hidden /> {t("message.offline")}
    </div>
  );
}
