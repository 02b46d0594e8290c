import { Textarea } from "@mantine/core";
import { IconEye, IconX } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { inGroups } from "../../../api/in-groups.ts";
import { formatNumber } from "../../../language/i18n.ts";
import { ConfirmDialog } from "../../../ui/dialogs/confirm-dialog.tsx";
import { TechnologyTile } from "../../../ui/display/technology-tile.tsx";
import { Checkbox } from "../../../ui/forms/checkbox.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";
import buttonStyles from "../../../ui/styles/button.module.css";
import noteStyles from "../../../ui/styles/note.module.css";
import textStyles from "../../../ui/styles/text.module.css";
import { toast } from "../../../ui/toasts.tsx";
import { reload, reportUndecided, send } from "../data/decide.ts";
import { nameOf, type Release } from "../data/queries.ts";
import styles from "./bulk-decision.module.css";
import { QueueLevel } from "./queue-level.tsx";

const bulkChoices = [
  { choice: "ACCEPTED", label: "action.accept", testId: "bulk-accept" },
  { choice: "REJECTED", label: "action.reject", testId: "bulk-reject" },
] as const;
type BulkChoice = (typeof bulkChoices)[number]["choice"];

/** Decides on several releases with one note. Those that were not opened are named and confirmed on their own. */
export function BulkDecision({ releases, onClear }: { releases: readonly Release[]; onClear(): void }) {
  const { t } = useTranslation();
  const [decision, setDecision] = useState<BulkChoice>();
  const count = releases.length;
  return (
    <>
      <strong className={styles.count}>{t("review.bulk.selected", { count, formatted: formatNumber(count) })}</strong>
      {bulkChoices.map(({ choice, label, testId }) => (
        <button
          key={choice}
          type="button"
          className={buttonStyles.linkButton}
          onClick={() => setDecision(choice)}
          data-testid={testId}
        >
          {t(label)}
        </button>
      ))}
      <span className={styles.clear}>
        <IconButton icon={IconX} label={t("review.bulk.clear")} onPress={onClear} />
      </span>
      {decision && (
        <BulkDialog
          releases={releases}
          decision={decision}
          onClose={() => setDecision(undefined)}
          onDone={() => {
            setDecision(undefined);
            onClear();
          }}
        />
      )}
    </>
  );
}

interface BulkDialogProps {
  releases: readonly Release[];
  decision: BulkChoice;
  onClose(): void;
  onDone(): void;
}

function BulkDialog({ releases, decision, onClose, onDone }: BulkDialogProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [reason, setReason] = useState("");
  const [confirmed, setConfirmed] = useState(false);
  const [busy, setBusy] = useState(false);
  const unopened = releases.filter(({ opened }) => !opened);
  const verb = t(`review.bulk.${decision}`, { count: releases.length, formatted: formatNumber(releases.length) });
  const run = async () => {
    setBusy(true);
    const results = await inGroups(releases, (release) => send(release, decision, reason.trim()));
    await reload(queries);
    const failed = results.flatMap((result, place) => {
      const release = releases[place];
      return release && result.status === "rejected" ? [{ release, error: result.reason }] : [];
    });
    await Promise.all(failed.map(({ release, error }) => reportUndecided(release, error)));
    if (failed.length > 0) toast.warning(t("review.bulk.failed", { count: failed.length }));
    else toast.success(t("review.bulk.doneAll", { count: releases.length }));
    onDone();
  };
  return (
    <ConfirmDialog
      kind="bulk-review"
      title={`${verb}?`}
      verb={verb}
      danger={decision === "REJECTED"}
      blocked={unopened.length > 0 && !confirmed ? t("review.bulk.confirmFirst") : undefined}
      busy={busy}
      onConfirm={() => void run()}
      onClose={onClose}
    >
      <ul className={styles.names}>
        {releases.map((release) => (
          <li key={release.id} className={styles.release}>
            <TechnologyTile technology={release.technology} />
            <span className={styles.name}>
              <span className={textStyles.mono}>{nameOf(release)}</span>
              <span className={textStyles.muted}>{release.repository.name}</span>
            </span>
            <QueueLevel item={release} />
            <span className={styles.opened}>
              {release.opened && (
                <>
                  <IconEye size={14} stroke={2} aria-hidden /> {t("review.opened")}
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
      <Textarea
        label={t("review.bulk.reason")}
        autosize
        minRows={2}
        maxRows={8}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        mb="md"
      />
      {unopened.length > 0 && (
        <div className={noteStyles.note}>
          <div>
            {t("review.bulk.notOpened")} <span className={textStyles.mono}>{unopened.map(nameOf).join(", ")}</span>
            <div className={styles.anyway}>
              <Checkbox
                label={t("review.bulk.anyway")}
                checked={confirmed}
                onChange={setConfirmed}
                data-testid="bulk-anyway"
              />
            </div>
          </div>
        </div>
      )}
    </ConfirmDialog>
  );
}
