import type { QueryKey } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { configuration } from "../api/configuration.ts";
import { ConfirmDialog } from "../ui/dialogs/confirm-dialog.tsx";
import { delayAction } from "./delayed-action.ts";
import { useChange } from "./use-change.ts";

interface DeleteDialogProps {
  name: string;
  /** The row in its list, `users/17`, which shows "deleting … Undo" while the call is delayed; without it, no delay. */
  rowKey?: string;
  remove(leaving: boolean): Promise<unknown>;
  /** Shown when it is done; by default, that it was deleted. */
  success?: string;
  /** Why it cannot be confirmed yet. */
  blocked?: string | undefined;
  affects?: readonly QueryKey[];
  /** The consequences. */
  children?: ReactNode;
  onClose(): void;
}

/** Asks before a record is deleted; soft deletions are then delayed for a few seconds. */
export function DeleteDialog({
  name,
  rowKey,
  remove,
  success,
  blocked,
  affects = [],
  children,
  onClose,
}: DeleteDialogProps) {
  const { t } = useTranslation();
  const { busy, change, send } = useChange(remove, {
    success: success ?? t("done.delete", { name }),
    affects,
    onDone: onClose,
  });
  const confirm = () => {
    if (!rowKey || configuration().undoSeconds === 0) return change();
    delayAction({ key: rowKey, label: t("runningAction.delete"), send });
    onClose();
  };
  return (
    <ConfirmDialog
      kind="delete"
      title={t("message.confirmDelete", { name })}
      verb={t("action.delete")}
      danger
      busy={busy}
      blocked={blocked}
      onConfirm={confirm}
      onClose={onClose}
    >
      {children}
    </ConfirmDialog>
  );
}
