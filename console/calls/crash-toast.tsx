import type { CrashReport } from "@packhouse/contract/envelope";
import i18next from "i18next";
import { CopyButton } from "../ui/copy/copy-button.tsx";
import { toast } from "../ui/toasts.tsx";
import styles from "./crash-toast.module.css";

const crashToastMs = 8000;

/** A 500, with the details for an administrator ready to copy. Loaded on demand, because it is rare. */
export function reportCrash({ traceId, timestamp }: CrashReport): void {
  const lines = [`${i18next.t("message.traceId")} ${traceId}`, `${i18next.t("message.time")} ${timestamp}`];
  toast.error(
    <>
      <strong>{i18next.t("message.crash")}</strong>
      <div>{i18next.t("message.crashBody")}</div>
      <div className={styles.facts}>
        {lines.map((line) => (
          <div key={line}>{line}</div>
        ))}
      </div>
      <CopyButton text={lines.join("\n")} quiet />
    </>,
    { autoClose: crashToastMs, sticky: true, icon: null },
  );
}
