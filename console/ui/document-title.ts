import { configuration } from "../api/configuration.ts";

let screen = "";
let unseen = 0;

function write(): void {
  const { title } = configuration();
  document.title = (screen ? `${title} - ${screen}` : title) + (unseen > 0 ? ` (${unseen})` : "");
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
