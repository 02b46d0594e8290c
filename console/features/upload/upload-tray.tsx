import "./texts.ts";
import { IconAlertCircle, IconCircleCheck, IconLoader2, IconX } from "@tabler/icons-react";
import { Link, useRouterState } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { useConnectionLost } from "../../api/lost-connection.ts";
import { formatNumber } from "../../language/i18n.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import loadingStyles from "../../ui/styles/loading.module.css";
import progressBarStyles from "../../ui/styles/progress-bar.module.css";
import textStyles from "../../ui/styles/text.module.css";
import { clearUploads, isUnfinished, type Upload, useUploads } from "./upload-queue.ts";
import styles from "./upload-tray.module.css";

const part = ({ state }: Upload): number => (state.kind === "sending" ? state.part : state.kind === "queued" ? 0 : 1);

/** Running and finished uploads, while the user is on another screen. */
export function UploadTray() {
  const { t } = useTranslation();
  const uploads = useUploads();
  const isLost = useConnectionLost();
  const path = useRouterState({ select: (state) => state.location.pathname });
  if (uploads.length === 0 || path.startsWith("/upload-packages")) return null;
  const unfinished = uploads.filter(isUnfinished).length;
  const failed = uploads.filter(({ state }) => state.kind === "failed" || state.kind === "interrupted").length;
  const done = uploads.reduce((sum, upload) => sum + part(upload), 0) / uploads.length;
  const percent = Math.round(done * 100);
  const text =
    unfinished > 0
      ? t(isLost ? "upload.paused" : "upload.trayRunning", { count: unfinished, formatted: formatNumber(unfinished) })
      : failed > 0
        ? t("upload.trayFailed", { count: failed, formatted: formatNumber(failed) })
        : t("upload.trayDone");
  return (
    <section className={styles.tray} aria-label={t("nav.upload")} data-testid="tray">
      <span className={textStyles.word} role="status">
        {unfinished > 0 ? (
          <IconLoader2 size={18} className={loadingStyles.spin} aria-hidden />
        ) : failed > 0 ? (
          <IconAlertCircle size={18} className={textStyles.bad} aria-hidden />
        ) : (
          <IconCircleCheck size={18} className={textStyles.good} aria-hidden />
        )}
        {text}
      </span>
      <Link to="/upload-packages" search={{ results: "true" }} className={textStyles.link}>
        {t("upload.trayShow")}
      </Link>
      {unfinished === 0 && <IconButton icon={IconX} label={t("action.close")} onPress={clearUploads} />}
      {unfinished > 0 && (
        <div
          className={progressBarStyles.track}
          role="progressbar"
          aria-label={t("upload.sending")}
          aria-valuenow={percent}
          aria-valuemin={0}
          aria-valuemax={100}
        >
          <div className={progressBarStyles.fill} style={{ width: `${percent}%` }} />
        </div>
      )}
    </section>
  );
}
