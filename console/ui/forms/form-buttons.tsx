import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import formStyles from "../styles/form.module.css";
import { BlockableButton } from "./blockable-button.tsx";

interface FormButtonsProps {
  /** The verb on the submit button. */
  verb: string;
  busy: boolean;
  /** Why it cannot be submitted now. */
  blocked?: string | undefined;
  onClose(): void;
}

export function FormButtons({ verb, busy, blocked, onClose }: FormButtonsProps) {
  const { t } = useTranslation();
  return (
    <div className={formStyles.buttons}>
      <Button variant="default" onClick={onClose} data-testid="dialog-cancel">
        {t("action.cancel")}
      </Button>
      <BlockableButton type="submit" loading={busy} blocked={blocked} data-testid="dialog-confirm">
        {verb}
      </BlockableButton>
    </div>
  );
}
