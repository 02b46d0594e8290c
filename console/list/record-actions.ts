import { type Linked, mayDelete, mayPatch } from "@packhouse/contract/links";
import { IconPencil, IconTrash } from "@tabler/icons-react";
import type { Blocker, RowAction, RowDialog } from "./define-list.ts";

interface Deletable extends Linked {
  deleted: boolean;
}

const deleted =
  <Item extends Deletable>(resource: "user" | "maintainer"): Blocker<Item> =>
  (item, { t }) =>
    item.deleted ? t("reason.deleted", { what: t(`resource.${resource}`) }) : undefined;

/** Edits a record in a dialog: not a deleted one, and only for users who may change this property. */
export const editAction = <Item extends Deletable>(
  resource: "user" | "maintainer",
  property: string,
  dialog: RowDialog<Item>,
  label: "action.edit" | "action.editRole" = "action.edit",
): RowAction<Item> => ({
  name: "edit",
  label: (_item, { t }) => t(label),
  icon: () => IconPencil,
  blockedBy: [deleted(resource), (item, { t }) => (mayPatch(item, property) ? undefined : t("reason.notAuthorized"))],
  dialog,
});

/** Why a record cannot be deleted. */
export const mayNotDelete = <Item extends Deletable>(resource: "user" | "maintainer"): readonly Blocker<Item>[] => [
  deleted(resource),
  (item, { t }) => (mayDelete(item) || mayPatch(item, "deleted") ? undefined : t("reason.notAuthorized")),
];

/** Soft-deletes a record after a confirmation. */
export const deleteAction = <Item extends Deletable>(
  resource: "user" | "maintainer",
  dialog: RowDialog<Item>,
  further: readonly Blocker<Item>[] = [],
): RowAction<Item> => ({
  name: "delete",
  label: (_item, { t }) => t("action.delete"),
  icon: () => IconTrash,
  danger: true,
  blockedBy: [...further, ...mayNotDelete<Item>(resource)],
  dialog,
});
