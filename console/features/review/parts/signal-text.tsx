import type { Signal } from "@packhouse/contract/review/inspection";
import { useTranslation } from "react-i18next";
import styles from "./signal-text.module.css";

/** What happens, in bold, then what exactly. */
export function SignalText({ signal: { id, subject } }: { signal: Pick<Signal, "id" | "subject"> }) {
  const { t } = useTranslation();
  return (
    <span>
      <b className={styles.what}>{t(`review.signal.${id}`)}</b>
      {subject !== "" && (
        <>
          : <span className={styles.subject}>{subject}</span>
        </>
      )}
    </span>
  );
}
