import "./time-texts.ts";
import { useTranslation } from "react-i18next";
import { ownZone } from "../../language/i18n.ts";
import textStyles from "../styles/text.module.css";

/** Names the time zone of every day and time on a screen. */
export function ZoneNote() {
  const { t } = useTranslation();
  return (
    <span className={`${textStyles.muted} ${textStyles.small}`} data-testid="zone">
      {t("time.zone", { zone: ownZone() })}
    </span>
  );
}
