import { useEffect, useRef, useSyncExternalStore } from "react";
import { siteStorage } from "../storage/browser-storage.ts";

const key = "packhouse.shortcuts";
const shortcutsOff = (): boolean => siteStorage.read(key) === "off";

const listeners = new Set<() => void>();

/** Whether keyboard shortcuts are on; users decide that for their own browser. */
export const useShortcutsOn = (): [on: boolean, set: (on: boolean) => void] => [
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => !shortcutsOff(),
  ),
  (on) => {
    siteStorage.write(key, on ? "on" : "off");
    for (const listener of listeners) listener();
  },
];

/** A key pressed while nothing is typed and no dialog or menu is open; returns true if it was handled. */
type OnKey = (key: string, event: KeyboardEvent) => boolean;

const busyPlaces =
  "input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable], [role=dialog], [role=menu], [role=listbox]";

/** Listens for keys without modifiers while the caller is mounted. */
export function useKeys(onKey: OnKey): void {
  const latest = useRef(onKey);
  useEffect(() => {
    latest.current = onKey;
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (shortcutsOff() || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target instanceof Element && event.target.closest(busyPlaces)) return;
      if (document.querySelector("[role=dialog][aria-modal=true]")) return;
      if (latest.current(event.key, event)) event.preventDefault();
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}
