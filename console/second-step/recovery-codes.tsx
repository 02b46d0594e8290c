import "./second-step.css";
import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { saveBlob } from "../api/save-file.ts";
import { CopyButton } from "../ui/copy-button.tsx";

const fileName = "packhouse-recovery-codes.txt";

/** Codes that are shown this once, with ways to keep them. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone(): void }) {
  const { t } = useTranslation();
  const text = `${codes.join("\n")}\n`;
  return (
    <div className="ph-form" data-testid="recovery-codes">
      <p style={{ margin: 0 }}>{t("secondStep.recoveryLead")}</p>
      <div className="ph-code ph-copyable">
        <ul className="ph-recovery-codes">
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
        <CopyButton text={text} label={t("secondStep.copyCodes")} testId="recovery-codes-copy" />
      </div>
      <div className="ph-buttons">
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
