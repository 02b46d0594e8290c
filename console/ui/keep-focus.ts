/** Where a control was: what is close to it can take the focus when it is gone. */
interface Place {
  element: Element;
  hook: string | null;
  /** From the inside out, each with the index of the child in which the control was. */
  around: readonly { element: Element; index: number }[];
}

const dialog = "[role=dialog]";
const controls = "a[href], button, input, select, textarea, [tabindex]";
/** Dialogs and menus first return the focus themselves. */
const graceMs = 50;

/** What had the focus before it went into a dialog. */
const openers = new WeakMap<Element, Place>();
let last: Place | undefined;

function placeOf(element: Element): Place {
  const around: { element: Element; index: number }[] = [];
  for (let child = element; child.parentElement; child = child.parentElement)
    around.push({ element: child.parentElement, index: [...child.parentElement.children].indexOf(child) });
  return { element, hook: element.getAttribute("data-testid"), around };
}

const canTake = (element: Element | null): element is HTMLElement =>
  element instanceof HTMLElement &&
  element.isConnected &&
  !element.matches(":disabled, [type=hidden]") &&
  element.checkVisibility();

/** Its own control or one within it that Tab reaches. */
const controlIn = (element: Element): HTMLElement | undefined =>
  [element, ...element.querySelectorAll(controls)].find(
    (one): one is HTMLElement => canTake(one) && one.matches(controls) && one.tabIndex >= 0,
  );

/** The control in this place, the same one drawn again, or its closest neighbor. */
function heirOf({ element, hook, around }: Place): HTMLElement | undefined {
  if (canTake(element)) return element;
  const redrawn = hook === null ? null : document.querySelector(`[data-testid="${CSS.escape(hook)}"]`);
  if (canTake(redrawn)) return redrawn;
  const closed = around.find(({ element }) => element.matches(dialog) && !element.isConnected);
  const opener = closed && openers.get(closed.element);
  if (opener) return heirOf(opener);
  for (const { element: parent, index } of around) {
    if (!parent.isConnected) continue;
    // The page itself: another screen has taken its place.
    if (parent.matches("main") || parent === document.body) return document.querySelector("main") ?? undefined;
    const children = [...parent.children];
    const nearby = [...children.slice(index), ...children.slice(0, index).reverse()];
    const control = nearby.map(controlIn).find((found) => found !== undefined);
    if (control) return control;
    if (canTake(parent) && parent.tabIndex >= 0) return parent;
  }
  return undefined;
}

const isLost = (): boolean => document.activeElement === null || document.activeElement === document.body;

/**
 * Returns the focus when the control that has it disappears: to what opened a closed dialog, otherwise to a neighbor.
 * Browsers would start again at the top of the page.
 */
export function keepFocus(): void {
  document.addEventListener("focusin", ({ target }) => {
    if (!(target instanceof Element)) return;
    const box = target.closest(dialog);
    if (box && last && !openers.has(box) && !box.contains(last.element)) openers.set(box, last);
    last = placeOf(target);
  });
  let waiting: ReturnType<typeof setTimeout> | undefined;
  new MutationObserver(() => {
    if (waiting !== undefined || !last || last.element.isConnected || !isLost()) return;
    waiting = setTimeout(() => {
      waiting = undefined;
      if (last && !last.element.isConnected && isLost()) heirOf(last)?.focus({ preventScroll: true });
    }, graceMs);
  }).observe(document.body, { childList: true, subtree: true });
}
