import { IconCircleCheck, IconCircleOff, IconTrash } from "@tabler/icons-react";
import { formatNumber } from "../language/i18n.ts";
import type { Blocker, BulkAction } from "./define-list.ts";

const icons = { delete: IconTrash, activate: IconCircleCheck, deactivate: IconCircleOff } as const;

interface BulkOptions<Item> {
  blockedBy: readonly Blocker<Item>[];
  run(item: Item): Promise<unknown>;
  /** The call that undoes it, if there is one. */
  reverse?(item: Item): Promise<unknown>;
}

/** An action on many records of one noun, with texts that only contain both. */
export const bulkAction = <Item>(
  noun: "packages" | "maintainers" | "tokens" | "users",
  action: keyof typeof icons,
  { blockedBy, run, reverse }: BulkOptions<Item>,
): BulkAction<Item> => ({
  name: action,
  icon: icons[action],
  danger: action !== "activate",
  verb: (t, count) => t(`bulk.${noun}`, { verb: t(`action.${action}`), count, formatted: formatNumber(count) }),
  question: (t) => t("bulk.question", { verb: t(`action.${action}`), what: t(`bulkNoun.${noun}`) }),
  leftOut: (t) => t("bulk.leftOut"),
  success: (t, count) =>
    t(`done.${action}`, { name: t(`bulk.${noun}`, { verb: "", count, formatted: formatNumber(count) }).trim() }),
  partial: (t, done, failed) => t("bulk.partial", { done, failed }),
  blockedBy,
  run,
  ...(reverse ? { reverse } : {}),
});
