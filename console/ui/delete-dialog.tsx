import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { useChange } from "./use-change.ts";

interface DeleteDialogProps {
  name: string;
  remove(): Promise<unknown>;
  /** Said when it is done. */
  success?: string;
  /** What it means. */
  children?: ReactNode;
  onClose(): void;
}

/** Asks before a record is deleted. */
export function DeleteDialog({ name, remove, success, children, onClose }: DeleteDialogProps) {
  const { t } = useTranslation();
  const { busy, change } = useChange(remove, { onDone: onClose, ...(success ? { success } : {}) });
  return (
    <ConfirmDialog
      kind="delete"
      title={t("message.confirmDelete", { name })}
      verb={t("action.delete")}
      danger
      busy={busy}
      onConfirm={change}
      onClose={onClose}
    >
      {children}
    </ConfirmDialog>
  );
}
