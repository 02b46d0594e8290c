import i18next from "i18next";
import { useId, useSyncExternalStore } from "react";
import { toast } from "../toasts.tsx";

/** The control that copied last: what it copied is on the clipboard until another one copies. */
let lastCopier: string | undefined;
const listeners = new Set<() => void>();

/**
 * Copies a text and reports success or failure, which screen readers read; browsers refuse it without a secure origin.
 * The only place that writes to the clipboard. In a toast, `quiet`: another toast would take its place under the
 * pointer, and Mantine then keeps both of them forever.
 */
export async function copyText(text: string, copier?: string, quiet = false): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    lastCopier = copier;
    for (const listener of listeners) listener();
    if (!quiet) toast.success(i18next.t("message.copied"));
  } catch {
    toast.error(i18next.t("message.copyFailed"));
  }
}

/** Copies for one control, which can show that its text was the last one to be copied. */
export function useCopier(quiet = false): { copied: boolean; copy(text: string): void } {
  const id = useId();
  const copied = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => lastCopier === id,
  );
  return { copied, copy: (text) => void copyText(text, id, quiet) };
}
