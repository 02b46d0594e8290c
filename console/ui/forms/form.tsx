import { type ComponentProps, type FormEvent, useRef } from "react";
import { flushSync } from "react-dom";
import formStyles from "../styles/form.module.css";
import { toast } from "../toasts.tsx";

interface FormProps extends Omit<ComponentProps<"form">, "onSubmit" | "ref"> {
  /** Shows the errors of all fields, and forgets what the server refused before. */
  onAttempt?(): void;
  /** Why it cannot be sent although no field has an error, such as that nothing was changed. */
  blocked?: string | undefined;
  /** Called only if nothing keeps it from being sent. */
  onSubmit(): void | Promise<void>;
}

/** Enter and the button do the same in every form: send it, or move the focus to the first field with an error. */
export function Form({ onAttempt, blocked, onSubmit, children, ...others }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const focusError = (): boolean => {
    const field = form.current?.querySelector<HTMLElement>("[aria-invalid=true]");
    field?.focus();
    return field !== null && field !== undefined;
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation(); // a dialog within a form is a form of its own
    flushSync(() => onAttempt?.());
    if (focusError()) return;
    if (blocked !== undefined) {
      toast.info(blocked, { id: blocked });
      return;
    }
    await onSubmit();
    // What the server refuses is shown at its field, too.
    requestAnimationFrame(focusError);
  };
  return (
    <form className={formStyles.form} noValidate ref={form} onSubmit={(event) => void submit(event)} {...others}>
      {children}
    </form>
  );
}
