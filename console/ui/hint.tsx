import { Tooltip } from "@mantine/core";
import { type FocusEvent, type MouseEvent, useSyncExternalStore } from "react";

/** What is explained now, and where. One layer serves the page: a tooltip for each of hundreds of icons takes its time. */
interface Hint {
  target: HTMLElement;
  text: string;
}

const delayMs = 300;
let hint: Hint | undefined;
let waiting: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function show(next: Hint | undefined): void {
  clearTimeout(waiting);
  hint = next;
  for (const listener of listeners) listener();
}

/** Handlers of an element that explains itself while the pointer or the keyboard is on it. */
export const explainedBy = (text: string | undefined) =>
  text === undefined
    ? {}
    : {
        onMouseEnter: ({ currentTarget }: MouseEvent<HTMLElement>) => {
          clearTimeout(waiting);
          waiting = setTimeout(() => show({ target: currentTarget, text }), delayMs);
        },
        onMouseLeave: () => show(undefined),
        onFocus: ({ currentTarget }: FocusEvent<HTMLElement>) => {
          if (currentTarget.matches(":focus-visible")) show({ target: currentTarget, text });
        },
        onBlur: () => show(undefined),
        onMouseDown: () => show(undefined),
      };

/** Where explanations are drawn; once on a page. */
export function HintLayer() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => hint,
  );
  if (!shown?.target.isConnected) return null;
  return <Tooltip key={shown.text} target={shown.target} label={shown.text} opened transitionProps={{ duration: 0 }} />;
}
