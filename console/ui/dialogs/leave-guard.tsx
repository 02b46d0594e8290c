import { useBlocker } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "./confirm-dialog.tsx";

interface LeaveGuardProps {
  /** Whether anything would be lost. */
  when: boolean;
  /** Also if the tab is closed or reloaded. */
  evenClosing?: boolean;
  question: string;
}

/** Asks for confirmation before a screen with unsaved work is left. */
export function LeaveGuard({ when, evenClosing = false, question }: LeaveGuardProps) {
  const { t } = useTranslation();
  const blocker = useBlocker({
    shouldBlockFn: ({ next, current }) => next.pathname !== current.pathname,
    disabled: !when,
    enableBeforeUnload: when && evenClosing,
    withResolver: true,
  });
  if (blocker.status !== "blocked") return null;
  return (
    <ConfirmDialog
      kind="leave"
      title={question}
      verb={t("action.leave")}
      danger
      onConfirm={blocker.proceed}
      onClose={blocker.reset}
    />
  );
}
