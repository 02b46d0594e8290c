import { hideNotification } from "@mantine/notifications";
import i18next from "i18next";
import buttonStyles from "./styles/button.module.css";
import { toast } from "./toasts.tsx";

const undoToastMs = 8000;
let nextId = 1;
/** Those that are shown, oldest first. */
const shown = new Map<string, () => void>();

/** Undoes the last change that a message still offers to undo; false if there is none. */
export function undoLast(): boolean {
  const last = [...shown.values()].at(-1);
  last?.();
  return last !== undefined;
}

/** Reports a change that can be undone, with a button for it. */
export function toastWithUndo(message: string, undo: () => void): void {
  const id = `undo-${nextId++}`;
  const press = () => {
    hideNotification(id);
    shown.delete(id);
    undo();
  };
  shown.set(id, press);
  toast.success(
    <>
      {message}{" "}
      <button
        type="button"
        className={buttonStyles.linkButton}
        data-testid="undo"
        aria-keyshortcuts="z"
        onClick={press}
      >
        {i18next.t("action.undo")}
      </button>
    </>,
    { id, autoClose: undoToastMs, onClose: () => shown.delete(id) },
  );
}
