import type { PackageItem } from "@packhouse/contract/packages";
import { IconCircleCheck, IconCircleOff, IconDownload, IconTrash } from "@tabler/icons-react";
import { Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { configuration } from "../../../api/configuration.ts";
import { delayAction, useDelayedActions } from "../../../calls/delayed-action.ts";
import { DelayedNote } from "../../../calls/delayed-note.tsx";
import { deletePackage } from "../../../calls/delete-package.ts";
import { savePackageFile } from "../../../calls/package-file.ts";
import { reportFailure } from "../../../calls/report-failure.tsx";
import { useChange } from "../../../calls/use-change.ts";
import { useServerConfiguration } from "../../../session/use-session.ts";
import { ActionButton } from "../../../ui/action-button.tsx";
import { LazyConfirmDialog } from "../../../ui/dialogs/lazy-confirm-dialog.ts";
import { Kind } from "../../../ui/display/kind.tsx";
import nameCellStyles from "../../../ui/display/name-cell.module.css";
import { StateCell } from "../../../ui/display/state-cell.tsx";
import { TechnologyTile } from "../../../ui/display/technology-tile.tsx";
import chipStyles from "../../../ui/styles/chip.module.css";
import detailsStyles from "../../../ui/styles/details.module.css";
import { OriginMark } from "../origin-mark.tsx";
import { type AnyPackageItem, setActive } from "../package-calls.ts";
import { packageLabel } from "../package-label.ts";
import { whyNotActivate, whyNotDelete } from "../package-obstacles.ts";

/** The package's name, state and actions. */
export function PackageHead({ item }: { item: AnyPackageItem }) {
  const { t } = useTranslation();
  return (
    <header className={detailsStyles.title}>
      <TechnologyTile technology={item.technology} hollow={!item.active} />
      <div className={detailsStyles.titleLines}>
        <div className={detailsStyles.titleLine}>
          <h1>
            {item.name} <span className={nameCellStyles.version}>{item.version}</span>
          </h1>
          <StateCell state={item.submission.state} />
          <Kind binary={item.binary} />
          <OriginMark item={item} />
          {item.deleted && (
            <span className={chipStyles.chip} data-tone="red">
              {t("word.deleted")}
            </span>
          )}
        </div>
        <p className={detailsStyles.lead}>{item.title}</p>
      </div>
      <Actions item={item} />
    </header>
  );
}

const affected = [["package"], ["versions"]] as const;

function Actions({ item }: { item: PackageItem }) {
  const { t } = useTranslation();
  const server = useServerConfiguration();
  const [asking, setAsking] = useState(false);
  // The same key as for the row in the list: it is the same delayed call.
  const key = `packages/${item.id}`;
  const delayed = useDelayedActions().get(key);
  const name = packageLabel(item);
  const activation = useChange(() => setActive(item, !item.active), {
    success: t(item.active ? "done.deactivate" : "done.activate", { name }),
    undo: () => setActive(item, item.active),
    affects: affected,
  });
  const deletion = useChange((leaving) => deletePackage(item, leaving), {
    success: t("done.delete", { name }),
    affects: affected,
  });
  const remove = () =>
    configuration().undoSeconds === 0
      ? setAsking(true)
      : delayAction({ key, label: t("runningAction.delete"), send: deletion.send });
  const pending = activation.busy || deletion.busy ? t("reason.pending") : undefined;
  const toggle = item.active ? t("action.deactivate") : t("action.activate");
  if (delayed) return <DelayedNote rowKey={key} label={delayed} />;
  return (
    <div className={detailsStyles.titleActions}>
      {!item.deleted && (
        <ActionButton
          icon={IconDownload}
          testId={`download-${item.id}`}
          onPress={() => void savePackageFile(item).catch(reportFailure)}
        >
          {t("action.download")}
        </ActionButton>
      )}
      <ActionButton
        icon={item.active ? IconCircleOff : IconCircleCheck}
        blocked={pending ?? whyNotActivate(item, { t })}
        testId={`activate-${item.id}`}
        onPress={activation.change}
      >
        {toggle}
      </ActionButton>
      <ActionButton
        icon={IconTrash}
        danger
        blocked={pending ?? whyNotDelete(item, { t, configuration: server })}
        testId={`delete-${item.id}`}
        onPress={remove}
      >
        {t("action.delete")}
      </ActionButton>
      <Suspense>
        {asking && (
          <LazyConfirmDialog
            kind="delete"
            title={t("message.confirmDelete", { name })}
            verb={t("action.delete")}
            danger
            onClose={() => setAsking(false)}
            onConfirm={() => {
              setAsking(false);
              deletion.change();
            }}
          />
        )}
      </Suspense>
    </div>
  );
}
