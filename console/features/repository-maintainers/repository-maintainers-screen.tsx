import { type RepositoryMaintainerItem, repositoryMaintainerList } from "@packhouse/contract/maintainers";
import { technology } from "@packhouse/contract/technology";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import { api, replace } from "../../api/client.ts";
import { DeleteDialog } from "../../calls/delete-dialog.tsx";
import { MaintainerDetail } from "../../event-summary/maintainer-detail.tsx";
import { bulkAction } from "../../list/bulk-actions.ts";
import { defineList } from "../../list/define-list.ts";
import { deleteAction, editAction, mayNotDelete } from "../../list/record-actions.ts";
import { restoreAction } from "../../list/restore-action.ts";
import { ListScreen } from "../../list/screen/list-screen.tsx";
import { MaintainerName } from "../../ui/display/maintainer-name.tsx";
import { TechnologyTile } from "../../ui/display/technology-tile.tsx";
import { CreateRepositoryMaintainer, EditRepositoryMaintainer } from "./repository-maintainer-form.tsx";

const setDeleted = (item: RepositoryMaintainerItem, deleted: boolean, leaving = false) =>
  api.patch(`/repository-maintainers/${item.id}`, z.unknown(), [replace("/deleted", deleted)], leaving);

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
  detail: ({ item }) => <MaintainerDetail type="REPOSITORY_MAINTAINER" item={item} />,
  bulk: [
    bulkAction<RepositoryMaintainerItem>("maintainers", "delete", {
      blockedBy: mayNotDelete("maintainer"),
      run: (item) => setDeleted(item, true),
      reverse: (item) => setDeleted(item, false),
    }),
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
  return (
    <DeleteDialog
      name={item.user.name}
      rowKey={`repositoryMaintainers/${item.id}`}
      remove={(leaving) => setDeleted(item, true, leaving)}
      onClose={onClose}
    >
      <p>{t("maintainer.deleteForRepository", { repository: item.repository.name })}</p>
    </DeleteDialog>
  );
}
