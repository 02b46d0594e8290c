import "@mantine/core/styles/Drawer.layer.css";
import { Drawer } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { DrawerContent } from "./drawer-content.tsx";
import styles from "./drawer-overlay.module.css";

interface DrawerOverlayProps {
  onClose(): void;
  onSignOut(): void;
  onHelp(): void;
}

/** The drawer as an overlay, where there is no room for it next to the page. */
export function DrawerOverlay({ onClose, onSignOut, onHelp }: DrawerOverlayProps) {
  const { t } = useTranslation();
  return (
    <Drawer.Root opened onClose={onClose} size={264}>
      <Drawer.Overlay backgroundOpacity={0.7} />
      <Drawer.Content aria-label={t("nav.menu")}>
        <Drawer.Body className={styles.overlay}>
          <DrawerContent onNavigate={onClose} onSignOut={onSignOut} onHelp={onHelp} />
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
