const placeOf = ({ clientX, clientY }: MouseEvent): string => `${clientX} ${clientY}`;

/**
 * Messages below the pointer wait for it to leave; one that appears where the pointer rests must not, or it stays for
 * ever. Browsers send `mouseout` and `mouseover` in both cases; where the pointer was before distinguishes them. As long
 * as that is not known, it rests.
 */
export function ignoreRestingPointer(): void {
  let last: string | undefined;
  const note = (event: MouseEvent) => {
    last = placeOf(event);
  };
  const ignore = (event: MouseEvent) => {
    const entered = event.type === "mouseout" ? event.relatedTarget : event.target;
    const onMessage = entered instanceof Element && entered.closest(".mantine-Notifications-root") !== null;
    if (onMessage && (last === undefined || placeOf(event) === last)) event.stopImmediatePropagation();
    // The `mouseover` that follows a `mouseout` is at the same place.
    if (event.type === "mouseover") note(event);
  };
  document.addEventListener("mousemove", note, { capture: true, passive: true });
  for (const type of ["mouseout", "mouseover"] as const) document.addEventListener(type, ignore, { capture: true });
}
