import { type Linked, mayRestore } from "@packhouse/contract/links";
import { IconArrowBackUp } from "@tabler/icons-react";
import { z } from "zod";
import { api, replace } from "../api/client.ts";
import type { RowAction } from "./define-list.ts";

interface Deletable extends Linked {
  deleted: boolean;
}

/** Brings back what was deleted; `pathOf` is where the record is patched. Live rows do not show it. */
export const restoreAction = <Item extends Deletable>(pathOf: (item: Item) => string): RowAction<Item> => ({
  name: "restore",
  label: (_item, { t }) => t("action.restore"),
  icon: () => IconArrowBackUp,
  absent: (item) => !item.deleted,
  blockedBy: [(item, { t }) => (mayRestore(item) ? undefined : t("reason.cannotRestore"))],
  run: async (item) => {
    await api.patch(pathOf(item), z.unknown(), [replace("/deleted", false)]);
  },
});
