import "./texts.ts";
import { TextInput } from "@mantine/core";
import type { RepositoryItem } from "@packhouse/contract/repositories";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { DeleteDialog } from "../../calls/delete-dialog.tsx";
import { useChange } from "../../calls/use-change.ts";
import { formatNumber } from "../../language/i18n.ts";
import { ConfirmDialog } from "../../ui/dialogs/confirm-dialog.tsx";
import { fieldHooks } from "../../ui/forms/field-hooks.ts";
import { deleteRepository, republish } from "./repository-calls.ts";

export function RepublishDialog({ item, onClose }: { item: RepositoryItem; onClose(): void }) {
  const { t } = useTranslation();
  const { busy, change } = useChange(() => republish(item), {
    success: t("done.republish", { name: item.name }),
    onDone: onClose,
    affects: [["repository"]],
  });
  return (
    <ConfirmDialog
      kind="republish"
      title={t("message.confirmRepublish", { name: item.name })}
      verb={t("action.republish")}
      busy={busy}
      onConfirm={change}
      onClose={onClose}
    />
  );
}

/** Deleting a repository that contains packages requires typing its name. */
export function DeleteRepository({ item, onClose }: { item: RepositoryItem; onClose(): void }) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState("");
  const must = item.numberOfPackages > 0;
  return (
    <DeleteDialog
      name={item.name}
      rowKey={repositoryRowKey(item)}
      remove={(leaving) => deleteRepository(item, leaving)}
      affects={[["repository"]]}
      blocked={must && typed !== item.name ? t("reason.typeName", { name: item.name }) : undefined}
      onClose={onClose}
    >
      {must && (
        <>
          <p>
            {t("repository.deleteRepositoryHint", {
              count: item.numberOfPackages,
              formatted: formatNumber(item.numberOfPackages),
            })}
          </p>
          <TextInput
            label={t("repository.name")}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            {...fieldHooks("name")}
          />
        </>
      )}
    </DeleteDialog>
  );
}

/** The row that shows what is delayed for a repository. */
export const repositoryRowKey = ({ id }: Pick<RepositoryItem, "id">): string => `repositories/${id}`;
