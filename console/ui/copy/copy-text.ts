import i18next from "i18next";
import { toast } from "../toasts.tsx";

const feedbackMs = 1500;

/** Copies a text and reports success or failure; browsers refuse it without a secure origin. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast.success(i18next.t("message.copied"), { autoClose: feedbackMs });
  } catch {
    toast.error(i18next.t("message.copyFailed"));
  }
}
