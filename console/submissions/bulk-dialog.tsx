import { Alert } from "@mantine/core";
import type { SubmissionItem } from "@packhouse/contract/submissions";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { inGroups } from "../api/in-groups.ts";
import { savePackageFile } from "../api/package-file.ts";
import { formatNumber } from "../language/i18n.ts";
import { useOwnUser } from "../session/use-session.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { toast } from "../ui/toasts.tsx";
import { type Deed, obstacle, settle } from "./submission-calls.ts";

interface BulkDialogProps {
  items: SubmissionItem[];
  onDone(): void;
  onClose(): void;
}

/** The dialog of one deed over many submissions: what it will do, and what it leaves out and why. */
export function bulkDialog(deed: Deed) {
  return function BulkDialog({ items, onDone, onClose }: BulkDialogProps) {
    const { t } = useTranslation();
    const user = useOwnUser();
    const [busy, setBusy] = useState(false);
    const eligible = items.filter((item) => obstacle(item, deed, user.id) === undefined);
    const others = items.filter((item) => obstacle(item, deed, user.id) !== undefined);
    const action = t(`settled.${deed}`);
    const verb = deed === "download" ? t("message.downloaded") : t("message.edited");

    const run = async () => {
      setBusy(true);
      const results = await inGroups(eligible, async (item) => {
        if (deed === "download") await savePackageFile(item.packageBag);
        else await settle(item, deed);
      });
      const failed = results.filter((result) => result.status === "rejected").length;
      for (const [index, result] of results.entries()) {
        if (result.status === "rejected")
          toast.error(
            `${eligible[index]?.packageBag.name ?? ""} - ${result.reason instanceof Error ? result.reason.message : ""}`,
          );
      }
      if (failed === 0) toast.success(t("message.submissionsAll", { verb }));
      else toast.warning(t("message.submissionsSome", { verb, done: eligible.length - failed, failed }));
      onDone();
    };
    const reason = (item: SubmissionItem) =>
      obstacle(item, deed, user.id) === "state"
        ? t("reason.notMutable", { action, state: t(`state.${item.state}`) })
        : t("reason.notAuthorized");
    return (
      <ConfirmDialog
        kind="bulk"
        title={t("message.confirmMany", { action: t(`action.${deed}`).toUpperCase() })}
        verb={t("bulk.submissions", {
          verb: t(`action.${deed}`),
          count: eligible.length,
          formatted: formatNumber(eligible.length),
        })}
        danger={deed === "reject" || deed === "cancel"}
        disabled={eligible.length === 0}
        busy={busy}
        onConfirm={() => void run()}
        onClose={onClose}
      >
        {eligible.length === 0 && (
          <div className="ph-empty">
            <strong>{t("message.noValidSubmissions")}</strong>
            <span>{t("message.noneSelectedHelp", { action })}</span>
          </div>
        )}
        <ul style={{ maxHeight: 220, overflow: "auto" }}>
          {eligible.map((item) => (
            <li key={item.id} className="ph-mono">
              {`${item.packageBag.name} v.${item.packageBag.version}`}{" "}
              <span className="ph-muted">{item.packageBag.repository.name}</span>
            </li>
          ))}
        </ul>
        {others.length > 0 && (
          <Alert color="orange" title={t("message.notListed", { action })}>
            <ul style={{ margin: 0, paddingLeft: 18 }}>
              {others.map((item) => (
                <li key={item.id}>
                  <span className="ph-mono">{`${item.packageBag.name} v.${item.packageBag.version}`}</span> –{" "}
                  {reason(item)}
                </li>
              ))}
            </ul>
          </Alert>
        )}
      </ConfirmDialog>
    );
  };
}
