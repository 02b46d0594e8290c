import { Modal } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import styles from "./dialog.module.css";
import { useStart } from "./use-start.ts";

interface DialogProps {
  /** Its subject: `create`, `delete`, `bulk` … */
  kind: string;
  title: string;
  /** Width; by default that of a question. */
  size?: string;
  /** Starts on the close button, because every control of its body does something at once. */
  startOnClose?: boolean;
  children: ReactNode;
  onClose(): void;
}

/**
 * A card over a dark backdrop. Escape, backdrop and the close button only close it. It starts in its first field or on
 * its least dangerous control; `keep-focus.ts` returns the focus when it is closed.
 */
export function Dialog({ kind, title, size, startOnClose = false, children, onClose }: DialogProps) {
  const { t } = useTranslation();
  const body = useStart();
  return (
    <Modal.Root opened onClose={onClose} {...(size ? { size } : {})}>
      <Modal.Overlay backgroundOpacity={0.7} />
      <Modal.Content data-testid={`dialog-${kind}`}>
        {/* Not Modal.Header, which would be a second banner on the page. */}
        <div className={styles.head}>
          <Modal.Title>{title}</Modal.Title>
          <Modal.CloseButton aria-label={t("action.close")} />
        </div>
        <Modal.Body ref={startOnClose ? undefined : body}>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
