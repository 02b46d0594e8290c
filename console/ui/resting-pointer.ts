const placeOf = ({ clientX, clientY }: MouseEvent): string => `${clientX} ${clientY}`;

/**
 * Messages below the pointer wait for it to leave; one that appears where the pointer rests must not, or it stays for
 * ever. Browsers send `mouseout` and `mouseover` in both cases, and `mousemove` only after a movement.
 */
export function ignoreRestingPointer(): void {
  let lastMove = "";
  const noteMove = (event: MouseEvent) => {
    lastMove = placeOf(event);
  };
  const ignore = (event: MouseEvent) => {
    const entered = event.type === "mouseout" ? event.relatedTarget : event.target;
    const onMessage = entered instanceof Element && entered.closest(".mantine-Notifications-root") !== null;
    if (onMessage && placeOf(event) === lastMove) event.stopImmediatePropagation();
  };
  document.addEventListener("mousemove", noteMove, { capture: true, passive: true });
  for (const type of ["mouseout", "mouseover"] as const) document.addEventListener(type, ignore, { capture: true });
}
