import { mayDelete, mayPatch } from "@packhouse/contract/links";
import { type PackageMaintainerItem, packageMaintainerList } from "@packhouse/contract/package-maintainers";
import { technology } from "@packhouse/contract/technology";
import { IconPencil, IconTrash } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import { api, replace } from "../api/client.ts";
import { repositoryNames } from "../api/options.ts";
import { type Blocker, defineList } from "../list/define-list.ts";
import { ListScreen } from "../list/list-screen.tsx";
import { restoreAction } from "../list/restore-action.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { MaintainerName } from "../ui/maintainer-name.tsx";
import { TechnologyTile } from "../ui/technology-tile.tsx";
import { useChange } from "../ui/use-change.ts";
import { CreatePackageMaintainer, EditPackageMaintainer } from "./package-maintainer-form.tsx";

const deleted: Blocker<PackageMaintainerItem> = (item, { t }) =>
  item.deleted ? t("reason.deleted", { what: t("resource.maintainer") }) : undefined;

const packageMaintainers = defineList(packageMaintainerList, {
  name: "packageMaintainers",
  heading: "nav.packageMaintainers",
  rowId: (item) => item.id,
  rowLabel: (item) => `${item.user.name} ${item.packageName}`,
  isDeleted: (item) => item.deleted,
  defaultSort: ["user.name", "asc"],
  filters: {
    search: { kind: "search", label: "filter.search" },
    technology: { kind: "choices", label: "filter.technology", testId: "technologies", options: technology.options },
    repository: { kind: "picker", label: "filter.repository", testId: "repositories", options: repositoryNames },
    deleted: { kind: "triState", label: "filter.deleted" },
  },
  columns: [
    {
      label: "column.name",
      sort: "user.name",
      width: "28%",
      bare: true,
      cell: (item) => <MaintainerName user={item.user} deleted={item.deleted} />,
    },
    {
      label: "column.package",
      sort: "packageName",
      cell: (item) => <span className="ph-mono">{item.packageName}</span>,
    },
    { label: "column.repository", sort: "repository", cell: (item) => item.repository.name },
    {
      label: "column.technology",
      sort: "repository.technology",
      width: "130px",
      cell: (item) => <TechnologyTile technology={item.repository.technology} />,
    },
  ],
  actions: [
    restoreAction((item) => `/package-maintainers/${item.id}`),
    {
      name: "edit",
      label: (_item, { t }) => t("action.edit"),
      icon: () => IconPencil,
      blockedBy: [deleted, (item, { t }) => (mayPatch(item, "packageName") ? undefined : t("reason.notAuthorized"))],
      dialog: EditPackageMaintainer,
    },
    {
      name: "delete",
      label: (_item, { t }) => t("action.delete"),
      icon: () => IconTrash,
      danger: true,
      blockedBy: [deleted, (item, { t }) => (mayDelete(item) ? undefined : t("reason.notAuthorized"))],
      dialog: DeleteMaintainer,
    },
  ],
  add: {
    ability: "POST packageMaintainers",
    label: ({ t }) => t("maintainer.createForPackage"),
    blockedBy: [],
    dialog: CreatePackageMaintainer,
  },
});

export const PackageMaintainersScreen = () => <ListScreen list={packageMaintainers} />;

function DeleteMaintainer({ item, onClose }: { item: PackageMaintainerItem; onClose(): void }) {
  const { t } = useTranslation();
  const { busy, change } = useChange(
    () => api.patch(`/package-maintainers/${item.id}`, z.unknown(), [replace("/deleted", true)]),
    { onDone: onClose },
  );
  return (
    <ConfirmDialog
      kind="delete"
      title={t("message.confirmDelete", { name: item.user.name })}
      verb={t("action.delete")}
      danger
      busy={busy}
      onConfirm={change}
      onClose={onClose}
    >
      <p>{t("maintainer.deleteForPackage", { name: item.packageName, repository: item.repository.name })}</p>
    </ConfirmDialog>
  );
}
