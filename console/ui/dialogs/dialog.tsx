import { Modal } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import styles from "./dialog.module.css";

interface DialogProps {
  /** Its subject: `create`, `delete`, `bulk` … */
  kind: string;
  title: string;
  /** Width; by default that of a question. */
  size?: string;
  children: ReactNode;
  onClose(): void;
}

/** A card over a dark backdrop. Escape, backdrop and the close button only close it. */
export function Dialog({ kind, title, size, children, onClose }: DialogProps) {
  const { t } = useTranslation();
  return (
    <Modal.Root opened onClose={onClose} {...(size ? { size } : {})}>
      <Modal.Overlay backgroundOpacity={0.7} />
      <Modal.Content data-testid={`dialog-${kind}`}>
        {/* Not Modal.Header, which would be a second banner on the page. */}
        <div className={styles.head}>
          <Modal.Title>{title}</Modal.Title>
          <Modal.CloseButton aria-label={t("action.close")} />
        </div>
        <Modal.Body>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
