import { Popover } from "@mantine/core";
import type { ReactNode } from "react";
import { PopupTarget, useOpenedOnceMounted } from "./popup-target.tsx";
import type { PopupState } from "./use-popup.ts";

interface PopupProps {
  state: PopupState;
  label: string;
  position: "bottom-start" | "bottom-end";
  /** In pixels. */
  width?: number;
  /** Where it is in the page: after its button, or in the layer above everything. */
  withinPortal?: boolean;
  className?: string | undefined;
  testId?: string;
  children: ReactNode;
}

/** Any content that a button opens; it keeps the focus until it is closed. */
export function Popup({ state, label, position, width, withinPortal = true, className, testId, children }: PopupProps) {
  const opened = useOpenedOnceMounted(state.opened);
  return (
    <Popover
      id={state.id}
      opened={opened}
      onChange={state.onChange}
      position={position}
      withinPortal={withinPortal}
      trapFocus
      returnFocus
      {...(width === undefined ? {} : { width })}
    >
      <Popover.Target>
        <PopupTarget button={state.button} />
      </Popover.Target>
      <Popover.Dropdown aria-label={label} data-testid={testId} {...(className ? { className } : {})}>
        {children}
      </Popover.Dropdown>
    </Popover>
  );
}
