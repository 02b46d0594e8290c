import { type Linked, mayRestore } from "@packhouse/contract/links";
import { IconArrowBackUp } from "@tabler/icons-react";
import type { RowAction } from "./define-list.ts";

interface Deletable extends Linked {
  deleted: boolean;
}

/** Restores a deleted record; `restore` sends the call. Hidden on other rows. */
export const restoreAction = <Item extends Deletable>(restore: (item: Item) => Promise<unknown>): RowAction<Item> => ({
  name: "restore",
  label: (_item, { t }) => t("action.restore"),
  icon: () => IconArrowBackUp,
  absent: (item) => !item.deleted,
  blockedBy: [(item, { t }) => (mayRestore(item) ? undefined : t("reason.cannotRestore"))],
  run: async (item) => {
    await restore(item);
  },
  done: (name, { t }) => t("done.restore", { name }),
});
