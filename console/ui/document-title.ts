import { configuration } from "../api/configuration.ts";

let screen = "";
let replacement: string | undefined;
let unseen = 0;

function write(): void {
  const { title } = configuration();
  const shown = replacement ?? screen;
  document.title = (shown ? `${title} - ${shown}` : title) + (unseen > 0 ? ` (${unseen})` : "");
}

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
