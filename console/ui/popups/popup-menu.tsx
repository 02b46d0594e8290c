import { Menu } from "@mantine/core";
import type { ReactNode } from "react";
import { PopupTarget, useOpenedOnceMounted } from "./popup-target.tsx";
import type { PopupState } from "./use-popup.ts";

interface PopupMenuProps {
  state: PopupState;
  /** Where it is in the page: after its button, or in the layer above everything. */
  withinPortal?: boolean;
  /** Menu items. */
  children: ReactNode;
}

/** A menu that a button opens. */
export function PopupMenu({ state, withinPortal = true, children }: PopupMenuProps) {
  const opened = useOpenedOnceMounted(state.opened);
  return (
    <Menu
      id={state.id}
      opened={opened}
      onChange={state.onChange}
      position="bottom-end"
      withinPortal={withinPortal}
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <PopupTarget button={state.button} />
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}
