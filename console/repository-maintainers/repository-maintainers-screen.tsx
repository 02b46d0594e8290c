import { type RepositoryMaintainerItem, repositoryMaintainerList } from "@packhouse/contract/repository-maintainers";
import { technology } from "@packhouse/contract/technology";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import { api, replace } from "../api/client.ts";
import { defineList } from "../list/define-list.ts";
import { ListScreen } from "../list/list-screen.tsx";
import { deleteAction, editAction } from "../list/record-actions.ts";
import { restoreAction } from "../list/restore-action.ts";
import { DeleteDialog } from "../ui/delete-dialog.tsx";
import { MaintainerName } from "../ui/maintainer-name.tsx";
import { TechnologyTile } from "../ui/technology-tile.tsx";
import { CreateRepositoryMaintainer, EditRepositoryMaintainer } from "./repository-maintainer-form.tsx";

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
    editAction("maintainer", "repository", EditRepositoryMaintainer),
    deleteAction("maintainer", DeleteMaintainer),
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
  const remove = () => api.patch(`/repository-maintainers/${item.id}`, z.unknown(), [replace("/deleted", true)]);
  return (
    <DeleteDialog name={item.user.name} remove={remove} onClose={onClose}>
      <p>{t("maintainer.deleteForRepository", { repository: item.repository.name })}</p>
    </DeleteDialog>
  );
}
