import { type FocusEvent, type MouseEvent, Suspense, useSyncExternalStore } from "react";
import { lazyWithRetry } from "./loading/lazy-with-retry.ts";

// No page shows one when it is first painted.
const HintTooltip = lazyWithRetry(() => import("./hint-tooltip.tsx").then((it) => it.HintTooltip));

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

/** Handlers for an element that shows a hint while it is hovered or focused. A function is called when that happens. */
export const explainedBy = (text: string | (() => string) | undefined) =>
  text === undefined
    ? {}
    : {
        onMouseEnter: ({ currentTarget }: MouseEvent<HTMLElement>) => {
          clearTimeout(waiting);
          waiting = setTimeout(() => show({ target: currentTarget, text: textOf(text) }), delayMs);
        },
        onMouseLeave: () => show(undefined),
        onFocus: ({ currentTarget }: FocusEvent<HTMLElement>) => {
          if (currentTarget.matches(":focus-visible")) show({ target: currentTarget, text: textOf(text) });
        },
        onBlur: () => show(undefined),
        onMouseDown: () => show(undefined),
      };

const textOf = (text: string | (() => string)) => (typeof text === "string" ? text : text());

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
  return (
    <Suspense>
      <HintTooltip key={shown.text} target={shown.target} text={shown.text} />
    </Suspense>
  );
}
