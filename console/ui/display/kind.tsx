import { useTranslation } from "react-i18next";
import chipStyles from "../styles/chip.module.css";

/** Whether a package is a binary or its source. */
export function Kind({ binary }: { binary: boolean }) {
  const { t } = useTranslation();
  return <span className={chipStyles.chip}>{binary ? t("word.binary") : t("word.source")}</span>;
}
