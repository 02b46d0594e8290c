import { tabStorage } from "../storage/browser-storage.ts";
import { tabPrefix } from "./own-storage.ts";

/** The query of each list as it was last shown in this tab, so that a breadcrumb leads back to the list as it was. */
const key = (path: string) => `${tabPrefix}search:${path}`;

export function rememberSearch(path: string, search: Readonly<Record<string, string | undefined>>): void {
  tabStorage.write(key(path), JSON.stringify(search));
}

/** Not checked: addresses are checked when they are opened. */
export function lastSearch(path: string): Record<string, unknown> {
  const stored: unknown = JSON.parse(tabStorage.read(key(path)) ?? "{}");
  return typeof stored === "object" && stored !== null ? { ...stored } : {};
}
