/**
 * For the button that empties a field: by default, keyboards and screen readers do not reach it. Without the attribute,
 * because dialogs skip every control that has `aria-hidden`, even if it is false.
 */
export const clearButton = (label: string) => ({ "aria-label": label, "aria-hidden": undefined, tabIndex: 0 });
