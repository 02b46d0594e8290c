/** For the button that empties a field: by default, keyboards and screen readers do not reach it. */
export const clearButton = (label: string) => ({ "aria-label": label, "aria-hidden": false, tabIndex: 0 });
