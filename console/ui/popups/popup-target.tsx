import { type Ref, type RefObject, useLayoutEffect, useState } from "react";

interface PopupTargetProps {
  button: RefObject<HTMLButtonElement | null>;
  ref?: Ref<HTMLElement>;
}

/** Stands for a button that exists already, where Mantine expects the button itself. */
export function PopupTarget({ button, ref }: PopupTargetProps) {
  useLayoutEffect(() => {
    if (typeof ref === "function") {
      ref(button.current);
      return () => void ref(null);
    }
    if (ref) ref.current = button.current;
    return undefined;
  }, [button, ref]);
  return null;
}

/** Mantine notes what has the focus when a popup opens, but not when it is mounted open. */
export function useOpenedOnceMounted(opened: boolean): boolean {
  const [mounted, setMounted] = useState(false);
  useLayoutEffect(() => setMounted(true), []);
  return mounted && opened;
}
