import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { saveBlob } from "../api/save-blob.ts";
import { copyText } from "../ui/copy/copy-text.ts";
import copyableCodeStyles from "../ui/copy/copyable-code.module.css";
import formStyles from "../ui/styles/form.module.css";
import styles from "./recovery-codes.module.css";

const fileName = "packhouse-recovery-codes.txt";

// Do not import anything from the other screens: on the sign-in page, that would start them.

/** Codes that are only shown once, with ways to save them. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone(): void }) {
  const { t } = useTranslation();
  const text = `${codes.join("\n")}\n`;
  return (
    <div className={formStyles.form} data-testid="recovery-codes">
      <p style={{ margin: 0 }}>{t("secondStep.recoveryLead")}</p>
      <ul className={`${copyableCodeStyles.code} ${styles.codes}`}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className={formStyles.buttons} style={{ flexWrap: "wrap" }}>
        <Button variant="default" onClick={() => void copyText(text)} data-testid="recovery-codes-copy">
          {t("action.copy")}
        </Button>
        <Button
          variant="default"
          onClick={() => saveBlob(new Blob([text], { type: "text/plain" }), fileName)}
          data-testid="recovery-codes-download"
        >
          {t("action.download")}
        </Button>
        <Button onClick={onDone} data-testid="recovery-codes-saved">
          {t("secondStep.saved")}
        </Button>
      </div>
    </div>
  );
}
