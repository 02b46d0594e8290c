import { type PackageMaintainerItem, packageMaintainerList } from "@packhouse/contract/package-maintainers";
import { technology } from "@packhouse/contract/technology";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import { api, replace } from "../api/client.ts";
import { repositoryNames } from "../api/options.ts";
import { defineList } from "../list/define-list.ts";
import { ListScreen } from "../list/list-screen.tsx";
import { deleteAction, editAction } from "../list/record-actions.ts";
import { restoreAction } from "../list/restore-action.ts";
import { DeleteDialog } from "../ui/delete-dialog.tsx";
import { MaintainerName } from "../ui/maintainer-name.tsx";
import { TechnologyTile } from "../ui/technology-tile.tsx";
import { CreatePackageMaintainer, EditPackageMaintainer } from "./package-maintainer-form.tsx";

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
    editAction("maintainer", "packageName", EditPackageMaintainer),
    deleteAction("maintainer", DeleteMaintainer),
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
  const remove = () => api.patch(`/package-maintainers/${item.id}`, z.unknown(), [replace("/deleted", true)]);
  return (
    <DeleteDialog name={item.user.name} remove={remove} onClose={onClose}>
      <p>{t("maintainer.deleteForPackage", { name: item.packageName, repository: item.repository.name })}</p>
    </DeleteDialog>
  );
}
