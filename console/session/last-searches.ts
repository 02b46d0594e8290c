/** The query of each list as it was last shown in this tab, so that a breadcrumb leads back to the list as it was. */
const key = (path: string) => `packhouse.search:${path}`;

export const rememberSearch = (path: string, search: Readonly<Record<string, string | undefined>>): void =>
  sessionStorage.setItem(key(path), JSON.stringify(search));

/** Not checked: addresses are checked when they are opened. */
export function lastSearch(path: string): Record<string, unknown> {
  const stored: unknown = JSON.parse(sessionStorage.getItem(key(path)) ?? "{}");
  return typeof stored === "object" && stored !== null ? { ...stored } : {};
}

/** Another user of this tab starts with the lists as they are by default. */
export function forgetSearches(): void {
  for (const name of Object.keys(sessionStorage)) if (name.startsWith(key(""))) sessionStorage.removeItem(name);
}
