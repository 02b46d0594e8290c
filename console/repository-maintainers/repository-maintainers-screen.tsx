import { mayDelete, mayPatch } from "@packhouse/contract/links";
import { type RepositoryMaintainerItem, repositoryMaintainerList } from "@packhouse/contract/repository-maintainers";
import { technology } from "@packhouse/contract/technology";
import { IconPencil, IconTrash } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import { api, replace } from "../api/client.ts";
import { type Blocker, defineList } from "../list/define-list.ts";
import { ListScreen } from "../list/list-screen.tsx";
import { restoreAction } from "../list/restore-action.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { MaintainerName } from "../ui/maintainer-name.tsx";
import { TechnologyTile } from "../ui/technology-tile.tsx";
import { useChange } from "../ui/use-change.ts";
import { CreateRepositoryMaintainer, EditRepositoryMaintainer } from "./repository-maintainer-form.tsx";

const deleted: Blocker<RepositoryMaintainerItem> = (item, { t }) =>
  item.deleted ? t("reason.deleted", { what: t("resource.maintainer") }) : undefined;

const repositoryMaintainers = defineList(repositoryMaintainerList, {
  name: "repositoryMaintainers",
  heading: "nav.repositoryMaintainers",
  rowId: (item) => item.id,
  rowLabel: (item) => `${item.user.name} ${item.repository.name}`,
  isDeleted: (item) => item.deleted,
  defaultSort: ["user.name", "asc"],
  filters: {
    search: { kind: "search", label: "filter.search" },
    resourceTechnology: {
      kind: "choices",
      label: "filter.technology",
      testId: "technologies",
      options: technology.options,
    },
    deleted: { kind: "triState", label: "filter.deleted" },
  },
  columns: [
    {
      label: "column.name",
      sort: "user.name",
      width: "34%",
      bare: true,
      cell: (item) => <MaintainerName user={item.user} deleted={item.deleted} />,
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
    restoreAction((item) => `/repository-maintainers/${item.id}`),
    {
      name: "edit",
      label: (_item, { t }) => t("action.edit"),
      icon: () => IconPencil,
      blockedBy: [deleted, (item, { t }) => (mayPatch(item, "repository") ? undefined : t("reason.notAuthorized"))],
      dialog: EditRepositoryMaintainer,
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
    ability: "POST repositoryMaintainers",
    label: ({ t }) => t("maintainer.createForRepository"),
    blockedBy: [],
    dialog: CreateRepositoryMaintainer,
  },
});

export const RepositoryMaintainersScreen = () => <ListScreen list={repositoryMaintainers} />;

function DeleteMaintainer({ item, onClose }: { item: RepositoryMaintainerItem; onClose(): void }) {
  const { t } = useTranslation();
  const { busy, change } = useChange(
    () => api.patch(`/repository-maintainers/${item.id}`, z.unknown(), [replace("/deleted", true)]),
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
      <p>{t("maintainer.deleteForRepository", { repository: item.repository.name })}</p>
    </ConfirmDialog>
  );
}
