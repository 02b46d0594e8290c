import { type RefObject, useId, useRef, useState } from "react";
import { lazyWithRetry } from "../loading/lazy-with-retry.ts";

/** A button's popup. */
export interface PopupState {
  id: string;
  button: RefObject<HTMLButtonElement | null>;
  opened: boolean;
  onChange(opened: boolean): void;
}

/**
 * A popup that is loaded and mounted when its button is first pressed: while a page is rendered, each mounted one costs
 * as much as several rows. `button` belongs to the button; `state`, if there is one, to `Popup` or `PopupMenu`.
 */
export function usePopup(
  kind: "menu" | "dialog",
  { onOpen, onClose }: { onOpen?: () => void; onClose?: () => void } = {},
) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [opened, setOpened] = useState<boolean>();
  const change = (to: boolean) => {
    if (to === (opened ?? false)) return;
    setOpened(to);
    if (to) onOpen?.();
    else onClose?.();
  };
  const state: PopupState | undefined = opened === undefined ? undefined : { id, button, opened, onChange: change };
  return {
    state,
    opened: opened ?? false,
    close: () => change(false),
    button: {
      ref: button,
      id,
      "aria-haspopup": kind,
      "aria-expanded": opened ?? false,
      "aria-controls": opened ? `${id}-dropdown` : undefined,
      onClick: () => change(!opened),
    },
  };
}

export const Popup = lazyWithRetry(() => import("./popup.tsx").then((it) => it.Popup));
