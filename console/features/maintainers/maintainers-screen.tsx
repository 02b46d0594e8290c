import { packageMaintainerList, repositoryMaintainerList } from "@packhouse/contract/maintainers";
import { technology } from "@packhouse/contract/technology";
import { useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { call, replace } from "../../api/client.ts";
import { repositoryNames } from "../../api/options.ts";
import { DeleteDialog } from "../../calls/delete-dialog.tsx";
import { MaintainerDetail } from "../../event-summary/maintainer-detail.tsx";
import { bulkAction } from "../../list/bulk-actions.ts";
import { defineList, type ListContext, notShown } from "../../list/define-list.ts";
import { inRepository } from "../../list/in-repository.ts";
import { deleteAction, editAction, mayNotDelete } from "../../list/record-actions.ts";
import { restoreAction } from "../../list/restore-action.ts";
import { ListScreen } from "../../list/screen/list-screen.tsx";
import { MaintainerName } from "../../ui/display/maintainer-name.tsx";
import { TechnologyTile } from "../../ui/display/technology-tile.tsx";
import textStyles from "../../ui/styles/text.module.css";
import { CreateMaintainer, EditMaintainer } from "./maintainer-form.tsx";
import type { Maintainer, MaintainerScope } from "./maintainer-scope.ts";
import { packageScope } from "./package-fields.tsx";
import { repositoryScope } from "./repository-fields.tsx";

/** The parts of a list that both scopes share. */
function listOf<Item extends Maintainer>(scope: MaintainerScope<Item>) {
  const { name, operations, resource, textKeys, restorable } = scope;
  const setDeleted = (item: Item, deleted: boolean, leaving = false) =>
    call(operations.edit, { id: item.id, body: [replace("/deleted", deleted)] }, { keepalive: leaving });

  function DeleteMaintainer({ item, onClose }: { item: Item; onClose(): void }) {
    const { t } = useTranslation();
    return (
      <DeleteDialog
        name={item.user.name}
        rowKey={`${name}/${item.id}`}
        remove={(leaving) => setDeleted(item, true, leaving)}
        success={t("done.dismiss", { name: item.user.name, place: scope.placeText(item) })}
        onClose={onClose}
      >
        <p>{scope.deletionText(t, item)}</p>
      </DeleteDialog>
    );
  }

  return {
    name,
    heading: `nav.${name}` as const,
    rowId: (item: Item) => item.id,
    isDeleted: (item: Item) => item.deleted,
    defaultSort: ["user.name", "asc"] as const,
    actions: [
      restoreAction<Item>((item) => setDeleted(item, false)),
      editAction<Item>("maintainer", scope.editedProperty, (props) => <EditMaintainer scope={scope} {...props} />),
      deleteAction<Item>("maintainer", DeleteMaintainer),
    ],
    detail: ({ item }: { item: Item }) => <MaintainerDetail type={resource} item={item} />,
    bulk: [
      bulkAction<Item>("maintainers", "delete", {
        blockedBy: mayNotDelete("maintainer"),
        run: (item) => setDeleted(item, true),
        ...(restorable ? { reverse: (item) => setDeleted(item, false) } : {}),
      }),
    ],
    hasTimes: false,
    add: {
      ability: `POST ${name}` as const,
      label: ({ t }: ListContext) => t(textKeys.create),
      blockedBy: [],
      dialog: (props: { onClose(): void }) => <CreateMaintainer scope={scope} {...props} />,
    },
  };
}

const technologies = {
  kind: "choices",
  label: "filter.technology",
  testId: "technologies",
  options: technology.options,
} as const;
const search = { kind: "search", label: "filter.search" } as const;
const deleted = { kind: "triState", label: "filter.deleted" } as const;

const name = {
  label: "column.name",
  bare: true,
  cell: (item: Maintainer) => <MaintainerName user={item.user} deleted={item.deleted} />,
} as const;
const places = {
  repository: { label: "column.repository", cell: (item: Maintainer) => item.repository.name },
  "repository.technology": {
    label: "column.technology",
    width: "130px",
    cell: (item: Maintainer) => <TechnologyTile technology={item.repository.technology} />,
  },
  id: notShown("nothing to read"),
  user: notShown("the column orders by name"),
  deleted: notShown("shown with the name"),
} as const;

const packageMaintainers = defineList(packageMaintainerList, {
  ...listOf(packageScope),
  rowLabel: (item) => `${item.user.name}, ${inRepository(item.packageName, item.repository)}`,
  filters: {
    search,
    technology: technologies,
    repository: { kind: "picker", label: "filter.repository", testId: "repositories", options: repositoryNames },
    deleted,
  },
  columns: {
    "user.name": { ...name, width: "28%" },
    packageName: {
      label: "column.package",
      cell: (item) => <span className={textStyles.mono}>{item.packageName}</span>,
    },
    ...places,
  },
});

const repositoryMaintainers = defineList(repositoryMaintainerList, {
  ...listOf(repositoryScope),
  rowLabel: (item) => `${item.user.name}, ${item.repository.name}`,
  filters: { search, resourceTechnology: technologies, deleted },
  columns: { "user.name": { ...name, width: "34%" }, ...places },
});

export const PackageMaintainersScreen = (): ReactNode => (
  <ListScreen list={packageMaintainers} search={useSearch({ from: "/signed-in/package-maintainers" })} />
);
export const RepositoryMaintainersScreen = (): ReactNode => (
  <ListScreen list={repositoryMaintainers} search={useSearch({ from: "/signed-in/repository-maintainers" })} />
);
