import { type RefObject, useRef } from "react";
import { useKeys } from "../../../ui/shortcuts.ts";

/**
 * Keys for the rows below the returned element: `j` and `k` move, `x` selects, `[` and `]` turn pages, `z` undoes,
 * and the shortcut of an action triggers it on the focused row.
 */
export function useRowKeys(turnPage: (by: 1 | -1) => void): RefObject<HTMLDivElement | null> {
  const frame = useRef<HTMLDivElement>(null);
  /** The focused position: a row that was decided may be gone, and the next one has moved there. */
  const lastRow = useRef(-1);
  useKeys((key) => {
    const rows = [...(frame.current?.querySelectorAll<HTMLElement>("tr[data-row]") ?? [])];
    const focused = rows.findIndex((row) => row.contains(document.activeElement));
    const press = (selector: string) => rows[focused]?.querySelector<HTMLElement>(selector);
    const move = (to: number) => {
      const row = rows[Math.max(0, Math.min(to, rows.length - 1))];
      lastRow.current = row ? rows.indexOf(row) : -1;
      row?.focus();
    };
    if (focused >= 0) lastRow.current = focused;
    if (key === "j") move(focused >= 0 ? focused + 1 : Math.max(lastRow.current, 0));
    else if (key === "k") move(focused >= 0 ? focused - 1 : lastRow.current - 1);
    else if (key === "[") turnPage(-1);
    else if (key === "]") turnPage(1);
    else {
      const target =
        key === "x"
          ? press("input[type=checkbox][data-testid^=select-]")
          : key === "z"
            ? (press("[data-testid=undo]") ?? frame.current?.querySelector<HTMLElement>("[data-testid=undo]"))
            : press(`[aria-keyshortcuts="${CSS.escape(key)}"]`);
      if (!target) return false;
      target.click();
    }
    return true;
  });
  return frame;
}
