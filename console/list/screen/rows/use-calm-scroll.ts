import { type RefObject, useEffect } from "react";

/** Longer than a frame takes on a slow device. */
const restMs = 400;
/** A pointer that moves further while it is pressed selects text, and does not click. */
const stillPx = 10;

/**
 * While a table scrolls, its frame has `data-scrolling` and lies over the rows, so that they do not react to a pointer
 * that they pass below: to paint this takes several times as long as to scroll. It ends as soon as the pointer moves;
 * a click that began before that is passed on.
 */
export function useCalmScroll(frame: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = frame.current;
    if (!element || !window.matchMedia("(hover: hover)").matches) return;
    let resting: ReturnType<typeof setTimeout> | undefined;
    const rest = () => element.removeAttribute("data-scrolling");
    const onScroll = ({ target }: Event) => {
      if (!(target instanceof Node && target.contains(element))) return;
      element.setAttribute("data-scrolling", "");
      clearTimeout(resting);
      resting = setTimeout(rest, restMs);
    };
    // Browsers also report a pointer that rests while the page moves.
    const onPointerMove = ({ movementX, movementY }: PointerEvent) => {
      if (movementX !== 0 || movementY !== 0) rest();
    };
    let pressed: { clientX: number; clientY: number } | undefined;
    const onPointerDown = (event: PointerEvent) => {
      pressed = event.target === element && element.hasAttribute("data-scrolling") ? event : undefined;
    };
    // If scrolling ended in between, the frame is still the target: it is what both ends of the click have in common.
    const onClick = ({ target, clientX, clientY }: MouseEvent) => {
      if (target !== element || !pressed) return;
      if (Math.hypot(clientX - pressed.clientX, clientY - pressed.clientY) > stillPx) return;
      rest();
      document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>("a, button, input, label, tr")?.click();
    };
    document.addEventListener("scroll", onScroll, { passive: true, capture: true });
    element.addEventListener("pointermove", onPointerMove);
    element.addEventListener("pointerdown", onPointerDown);
    element.addEventListener("click", onClick);
    return () => {
      clearTimeout(resting);
      rest();
      document.removeEventListener("scroll", onScroll, { capture: true });
      element.removeEventListener("pointermove", onPointerMove);
      element.removeEventListener("pointerdown", onPointerDown);
      element.removeEventListener("click", onClick);
    };
  }, [frame]);
}
