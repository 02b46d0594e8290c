import { Modal } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import styles from "./dialog.module.css";

interface DialogProps {
  /** What it is about: `create`, `delete`, `bulk` … */
  kind: string;
  title: string;
  /** Width; that of a question unless given. */
  size?: string;
  children: ReactNode;
  onClose(): void;
}

/** A card over a dark backdrop. Escape, backdrop and its cross close it and do nothing else. */
export function Dialog({ kind, title, size, children, onClose }: DialogProps) {
  const { t } = useTranslation();
  return (
    <Modal.Root opened onClose={onClose} {...(size ? { size } : {})}>
      <Modal.Overlay backgroundOpacity={0.7} />
      <Modal.Content data-testid={`dialog-${kind}`}>
        {/* Not Modal.Header: that is a second banner on the page. */}
        <div className={styles.head}>
          <Modal.Title>{title}</Modal.Title>
          <Modal.CloseButton aria-label={t("action.close")} />
        </div>
        <Modal.Body>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
