import { Tooltip } from "@mantine/core";
import { type FocusEvent, type MouseEvent, useSyncExternalStore } from "react";

/** The current hint and its position. One layer serves the page: hundreds of separate tooltips would be slow. */
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

/** Handlers for an element that shows a hint while it is hovered or focused. */
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

/** Where hints are rendered; once per page. */
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
