import { useTranslation } from "react-i18next";
import visibilityStyles from "../../../ui/styles/visibility.module.css";
import styles from "./change-mark.module.css";

const signs = { added: "+", removed: "−", changed: "~", renamed: "→" } as const;

/** `+`, `~`, `−` or an arrow, with its word for those who listen. */
export function ChangeMark({ change }: { change: keyof typeof signs }) {
  const { t } = useTranslation();
  return (
    <span className={styles.mark} data-change={change}>
      <span aria-hidden>{signs[change]}</span>
      <span className={visibilityStyles.hidden}>{t(`review.change.${change}`)}</span>
    </span>
  );
}
