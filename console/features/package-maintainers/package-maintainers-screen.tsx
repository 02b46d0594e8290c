import { type PackageMaintainerItem, packageMaintainerList } from "@packhouse/contract/maintainers";
import { technology } from "@packhouse/contract/technology";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import { api, replace } from "../../api/client.ts";
import { repositoryNames } from "../../api/options.ts";
import { DeleteDialog } from "../../calls/delete-dialog.tsx";
import { MaintainerDetail } from "../../event-summary/maintainer-detail.tsx";
import { bulkAction } from "../../list/bulk-actions.ts";
import { defineList } from "../../list/define-list.ts";
import { deleteAction, editAction, mayNotDelete } from "../../list/record-actions.ts";
import { restoreAction } from "../../list/restore-action.ts";
import { ListScreen } from "../../list/screen/list-screen.tsx";
import { MaintainerName } from "../../ui/display/maintainer-name.tsx";
import { TechnologyTile } from "../../ui/display/technology-tile.tsx";
import textStyles from "../../ui/styles/text.module.css";
import { CreatePackageMaintainer, EditPackageMaintainer } from "./package-maintainer-form.tsx";

const setDeleted = (item: PackageMaintainerItem, deleted: boolean, leaving = false) =>
  api.patch(`/package-maintainers/${item.id}`, z.unknown(), [replace("/deleted", deleted)], leaving);

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
      cell: (item) => <span className={textStyles.mono}>{item.packageName}</span>,
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
  detail: ({ item }) => <MaintainerDetail type="PACKAGE_MAINTAINER" item={item} />,
  bulk: [
    bulkAction<PackageMaintainerItem>("maintainers", "delete", {
      blockedBy: mayNotDelete("maintainer"),
      run: (item) => setDeleted(item, true),
    }),
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
  return (
    <DeleteDialog
      name={item.user.name}
      rowKey={`packageMaintainers/${item.id}`}
      remove={(leaving) => setDeleted(item, true, leaving)}
      onClose={onClose}
    >
      <p>{t("maintainer.deleteForPackage", { name: item.packageName, repository: item.repository.name })}</p>
    </DeleteDialog>
  );
}
