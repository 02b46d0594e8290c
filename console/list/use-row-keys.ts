import { type RefObject, useEffect, useRef } from "react";

/**
 * Keys for the rows below the returned element: `j` and `k` move, and the shortcut of an action presses it on the row
 * that has the focus. Never while something is typed or a dialog is open.
 */
export function useRowKeys(): RefObject<HTMLDivElement | null> {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || !isFree(event.target)) return;
      const rows = [...(frame.current?.querySelectorAll<HTMLElement>("tr[data-row]") ?? [])];
      const current = rows.findIndex((row) => row.contains(document.activeElement));
      if (event.key === "j") rows[Math.min(current + 1, rows.length - 1)]?.focus();
      else if (event.key === "k") rows[Math.max(current - 1, 0)]?.focus();
      else rows[current]?.querySelector<HTMLElement>(`[aria-keyshortcuts="${CSS.escape(event.key)}"]`)?.click();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
  return frame;
}

const isFree = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest("input:not([type=checkbox]), textarea, select, [contenteditable], [role=dialog], [role=menu]") ===
    null;
