import i18next from "i18next";
import { toast } from "../ui/toasts.tsx";

/** Shows users which parts of an address that they opened were ignored. */
export function noteIgnored(names: readonly string[]): void {
  if (names.length === 0) return;
  toast.warning(i18next.t("list.ignored", { names: names.join(", ") }), { id: "ignored" });
}
