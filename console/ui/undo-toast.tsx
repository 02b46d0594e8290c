import { hideNotification } from "@mantine/notifications";
import i18next from "i18next";
import buttonStyles from "./styles/button.module.css";
import { toast } from "./toasts.tsx";

const undoToastMs = 8000;
let nextId = 1;

/** Reports a change that can be undone, with a button for it. */
export function toastWithUndo(message: string, undo: () => void): void {
  const id = `undo-${nextId++}`;
  toast.success(
    <>
      {message}{" "}
      <button
        type="button"
        className={buttonStyles.linkButton}
        data-testid="undo"
        onClick={() => {
          hideNotification(id);
          undo();
        }}
      >
        {i18next.t("action.undo")}
      </button>
    </>,
    { id, autoClose: undoToastMs },
  );
}
