import { useEffect, useState } from "react";

/** Boxes are left out: they belong to what is above them. */
const fields =
  ":is(input:not([type=hidden], [type=checkbox], [type=radio], [readonly]:not([aria-haspopup])), select, textarea):enabled";
const controls = "a[href], :is(button, input, select, textarea):enabled, [tabindex]:not([tabindex='-1'])";

/** Where a dialog starts: in its first field, otherwise on Cancel, otherwise on the first control of its body. */
const startOf = (body: Element): HTMLElement | null =>
  body.querySelector<HTMLElement>(fields) ??
  body.querySelector<HTMLElement>("[data-testid=dialog-cancel]") ??
  body.querySelector<HTMLElement>(controls);

/**
 * Focuses the start of a dialog, also if its content is loaded or its first field enabled later, until the user does
 * something in it. Returns what the dialog's body takes as its ref.
 */
export function useStart(): (body: HTMLDivElement | null) => void {
  const [body, setBody] = useState<HTMLDivElement | null>(null);
  useEffect(() => {
    if (!body) return;
    const stopped = new AbortController();
    const observer = new MutationObserver(() => start());
    const stop = () => {
      clearTimeout(waiting);
      observer.disconnect();
      stopped.abort();
    };
    let started: HTMLElement | null = null;
    const start = () => {
      const target = body.querySelector<HTMLElement>("[data-autofocus]") ?? startOf(body);
      started = target;
      if (target !== document.activeElement) target?.focus({ preventScroll: true });
    };
    // The focus trap of the dialog starts on the close button in the same moment.
    const waiting = setTimeout(() => {
      start();
      observer.observe(body, { childList: true, subtree: true, attributeFilter: ["disabled"] });
    });
    const { signal } = stopped;
    for (const input of ["keydown", "pointerdown", "input"]) document.addEventListener(input, stop, { signal });
    // What fills forms focuses fields by itself.
    body.addEventListener("focusin", ({ target }) => target !== started && stop(), { signal });
    return stop;
  }, [body]);
  return setBody;
}
