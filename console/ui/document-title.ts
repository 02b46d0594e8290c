import { useSyncExternalStore } from "react";
import { configuration } from "../api/configuration.ts";

let screen = "";
let replacement: string | undefined;
let unseen = 0;
const listeners = new Set<() => void>();

function write(): void {
  const { title } = configuration();
  const shown = replacement ?? screen;
  document.title = (shown ? `${title} - ${shown}` : title) + (unseen > 0 ? ` (${unseen})` : "");
  for (const listener of listeners) listener();
}

/** The title of the current screen, which is announced: a screen that replaces another is no new page to browsers. */
export const useScreenName = (): string =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => replacement ?? screen,
  );

/** The window's title after the product's name, ending with the number of new events. */
export function setTitle(text: string): void {
  screen = text;
  write();
}

export function setTitleCount(count: number): void {
  unseen = count;
  write();
}

/** Replaces the title of the screen while something else is shown in its place; returns what ends that. */
export function replaceTitle(text: string): () => void {
  replacement = text;
  write();
  return () => {
    replacement = undefined;
    write();
  };
}
