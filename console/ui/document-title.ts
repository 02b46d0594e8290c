import { configuration } from "../api/configuration.ts";

let screen = "";
let unseen = 0;

function write(): void {
  const { title } = configuration();
  document.title = (screen ? `${title} - ${screen}` : title) + (unseen > 0 ? ` (${unseen})` : "");
}

/** What the window's title says behind the product's name; how many events are new stands at its end. */
export function setTitle(text: string): void {
  screen = text;
  write();
}

export function setTitleCount(count: number): void {
  unseen = count;
  write();
}
