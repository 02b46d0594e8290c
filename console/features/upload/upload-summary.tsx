import {
  IconAlertCircle,
  IconAlertTriangle,
  IconCircleCheck,
  IconClock,
  IconFileZip,
  IconLoader2,
  IconRefresh,
  IconReplace,
  IconX,
} from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { TFunction } from "i18next";
import { type ReactNode, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { ApiFailure } from "../../api/failure.ts";
import { queryClient } from "../../calls/query-client.ts";
import { reasonsOf } from "../../calls/report-failure.tsx";
import rowActionsStyles from "../../list/screen/rows/row-actions.module.css";
import { CopyButton } from "../../ui/copy/copy-button.tsx";
import { BlockableButton } from "../../ui/forms/blockable-button.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import buttonStyles from "../../ui/styles/button.module.css";
import detailsStyles from "../../ui/styles/details.module.css";
import formStyles from "../../ui/styles/form.module.css";
import loadingStyles from "../../ui/styles/loading.module.css";
import progressBarStyles from "../../ui/styles/progress-bar.module.css";
import tableStyles from "../../ui/styles/table.module.css";
import textStyles from "../../ui/styles/text.module.css";
import visibilityStyles from "../../ui/styles/visibility.module.css";
import { toast } from "../../ui/toasts.tsx";
import { Interruption } from "./interruption.tsx";
import { isUnfinished, retry, stop, type Upload } from "./upload-queue.ts";

interface UploadSummaryProps {
  uploads: readonly Upload[];
  onMore(): void;
}

const isWarning = ({ state }: Upload): boolean => state.kind === "done" && state.result.status === "WARNING";

export function UploadSummary({ uploads, onMore }: UploadSummaryProps) {
  const { t } = useTranslation();
  const busy = uploads.some(isUnfinished);
  const warned = useRef(false);
  useEffect(() => {
    if (busy || warned.current) return;
    warned.current = true;
    void queryClient.invalidateQueries({ queryKey: ["list"] });
    if (uploads.some(isWarning)) toast.warning(t("upload.warnings"));
  }, [busy, uploads, t]);
  return (
    <div className={detailsStyles.stack}>
      <Interruption uploads={uploads} />
      <div className={tableStyles.frame}>
        <table className={tableStyles.table}>
          <caption>{t("upload.summary")}</caption>
          <thead>
            <tr>
              <th scope="col" style={{ width: "40%" }}>
                {t("upload.file")}
              </th>
              <th scope="col">{t("column.status")}</th>
              <th scope="col" style={{ width: 100 }}>
                <span className={visibilityStyles.hidden}>{t("column.actions")}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {uploads.map((upload, index) => (
              <tr key={upload.id} data-row data-testid={`result-${index}`} data-state={hookOf(upload)}>
                <th scope="row">
                  <span className={textStyles.mono} style={{ overflowWrap: "anywhere" }}>
                    {upload.fileName}
                  </span>
                </th>
                <td data-label={t("column.status")} style={{ whiteSpace: "normal" }}>
                  <Outcome upload={upload} />
                </td>
                <td className={tableStyles.bare}>
                  <Fix upload={upload} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className={formStyles.buttons}>
        <CopyButton text={uploads.map((upload) => resultLine(upload, t)).join("\n")} label={t("upload.copyResults")} />
        <span style={{ flex: 1 }} />
        <BlockableButton
          onClick={onMore}
          blocked={busy ? t("reason.waitForUploads") : undefined}
          data-testid="wizard-more"
        >
          {t("upload.more")}
        </BlockableButton>
      </div>
    </div>
  );
}

/** A result as one line of text: file, outcome, reasons. */
function resultLine({ fileName, state }: Upload, t: TFunction): string {
  const reasons = state.kind === "failed" && state.error instanceof ApiFailure ? reasonsOf(state.error) : [];
  const word =
    state.kind === "done"
      ? state.result.status === "WARNING"
        ? isKnownWarning(state.result.messageCode)
          ? t(warnings[state.result.messageCode])
          : t("upload.unknownFailure")
        : t("upload.stored")
      : state.kind === "interrupted"
        ? t(state.sent ? "upload.interrupted" : "upload.notSent")
        : t(`upload.${state.kind}`);
  return [fileName, word, ...reasons].join("\t");
}

function hookOf(upload: Upload): string {
  if (isUnfinished(upload)) return "pending";
  if (upload.state.kind === "done") return isWarning(upload) ? "warning" : "success";
  return "error";
}

const warnings = {
  "warning.package.duplicate": "upload.duplicate",
  "warning.replacing.packages.disabled": "upload.replaceDisabled",
  "warning.synchronization.failure": "upload.syncFailed",
  "generate.manual.not.supported": "upload.manualForBinary",
  "manual.generation.unavailable": "upload.manualUnavailable",
} as const;
const isKnownWarning = (code: string | null): code is keyof typeof warnings => code !== null && code in warnings;

function Outcome({ upload: { state } }: { upload: Upload }): ReactNode {
  const { t } = useTranslation();
  switch (state.kind) {
    case "queued":
      return line(<IconClock size={16} className={textStyles.muted} aria-hidden />, t("upload.queued"));
    case "sending":
      return (
        <>
          {line(
            <IconLoader2 size={16} className={loadingStyles.spin} aria-hidden />,
            `${t("upload.sending")} ${Math.round(state.part * 100)} %`,
          )}
          <div
            className={progressBarStyles.track}
            role="progressbar"
            aria-label={t("upload.sending")}
            aria-valuenow={Math.round(state.part * 100)}
            aria-valuemin={0}
            aria-valuemax={100}
          >
            <div className={progressBarStyles.fill} style={{ width: `${state.part * 100}%` }} />
          </div>
        </>
      );
    case "interrupted":
      return line(
        <IconAlertTriangle size={16} className={textStyles.warn} aria-hidden />,
        t(state.sent ? "upload.interrupted" : "upload.notSent"),
      );
    case "stopped":
      return line(<IconX size={16} className={textStyles.muted} aria-hidden />, t("upload.stopped"));
    case "failed": {
      const reasons = state.error instanceof ApiFailure ? reasonsOf(state.error) : [];
      return line(
        <IconAlertCircle size={16} className={textStyles.bad} aria-hidden />,
        [t("upload.failed"), ...reasons].filter(Boolean).join(" · "),
      );
    }
    case "done": {
      const { status, messageCode, submission, package: stored } = state.result;
      if (status === "WARNING")
        return line(
          <IconAlertTriangle size={16} className={textStyles.warn} aria-hidden />,
          isKnownWarning(messageCode) ? t(warnings[messageCode]) : t("upload.unknownFailure"),
        );
      const word = submission.state === "WAITING" ? t("upload.storedWaiting") : t("upload.stored");
      return line(
        <IconCircleCheck size={16} className={textStyles.good} aria-hidden />,
        <>
          {word} ·{" "}
          <Link
            to="/packages/$technology/$id"
            params={{ technology: submission.technology, id: stored.id }}
            style={{ color: "var(--ph-brand)" }}
            className={textStyles.mono}
          >
            {`${stored.name} ${stored.version}`}
          </Link>{" "}
          ·{" "}
          <Link
            to="/submissions"
            search={{ search: stored.name, open: String(submission.id) }}
            className={textStyles.link}
          >
            {t("upload.submission")}
          </Link>
        </>,
      );
    }
  }
}

const line = (icon: ReactNode, text: ReactNode): ReactNode => (
  <span style={{ display: "flex", gap: 8, alignItems: "flex-start" }}>
    <span style={{ flex: "none", marginTop: 2 }}>{icon}</span>
    <span>{text}</span>
  </span>
);

/** The action that fixes the row. */
function Fix({ upload }: { upload: Upload }): ReactNode {
  const { t } = useTranslation();
  const { id, state, fileName: name } = upload;
  if (isUnfinished(upload))
    return (
      <IconButton icon={IconX} label={`${t("action.stop")} ${name}`} hint={t("action.stop")} onPress={() => stop(id)} />
    );
  if (state.kind === "failed" || state.kind === "stopped" || state.kind === "interrupted")
    return (
      <span className={rowActionsStyles.actions}>
        <label className={buttonStyles.iconButton} title={t("upload.otherFile")}>
          <IconFileZip size={18} stroke={1.75} aria-hidden />
          <span className={visibilityStyles.hidden}>{`${t("upload.otherFile")}: ${name}`}</span>
          <input
            type="file"
            className={visibilityStyles.hidden}
            onChange={(event) => {
              const file = event.currentTarget.files?.[0];
              if (file) retry(id, { file });
            }}
          />
        </label>
        {upload.file && (
          <IconButton
            icon={IconRefresh}
            label={`${t("action.retry")} ${name}`}
            hint={t("action.retry")}
            onPress={() => retry(id)}
          />
        )}
      </span>
    );
  if (state.kind === "done" && state.result.messageCode === "warning.package.duplicate" && upload.file)
    return (
      <IconButton
        icon={IconReplace}
        label={`${t("upload.replace")} ${name}`}
        hint={t("upload.replace")}
        onPress={() => retry(id, { options: { replace: true } })}
      />
    );
  return null;
}
