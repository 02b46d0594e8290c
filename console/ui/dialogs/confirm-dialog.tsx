import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { BlockableButton } from "../forms/blockable-button.tsx";
import { Form } from "../forms/form.tsx";
import formStyles from "../styles/form.module.css";
import { Dialog } from "./dialog.tsx";

interface ConfirmDialogProps {
  /** Its subject: `delete`, `bulk`, `republish` … */
  kind: string;
  title: string;
  /** The verb on the button. */
  verb: string;
  danger?: boolean;
  /** Why it cannot be confirmed now. */
  blocked?: string | undefined;
  busy?: boolean;
  children?: ReactNode;
  onConfirm(): void;
  onClose(): void;
}

/** A question with its verb on the button. Escape, backdrop and Cancel never do anything else. */
export function ConfirmDialog({
  kind,
  title,
  verb,
  danger = false,
  blocked,
  busy = false,
  children,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog kind={kind} title={title} onClose={onClose}>
      <Form className="" blocked={blocked} onSubmit={onConfirm}>
        {children}
        <div className={formStyles.buttons}>
          <Button variant="default" onClick={onClose} data-testid="dialog-cancel">
            {t("action.cancel")}
          </Button>
          <BlockableButton
            type="submit"
            blocked={blocked}
            loading={busy}
            data-testid="dialog-confirm"
            {...(danger && blocked === undefined
              ? { styles: { root: { background: "#c52b30", color: "#ffffff" } } }
              : {})}
          >
            {verb}
          </BlockableButton>
        </div>
      </Form>
    </Dialog>
  );
}
