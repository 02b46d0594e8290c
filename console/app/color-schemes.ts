import { isMantineColorScheme, type MantineColorSchemeManager } from "@mantine/core";
import { siteStorage } from "../storage/browser-storage.ts";

const key = "packhouse.theme";

/** Stores the theme where the script that runs before the first paint reads it. */
export const colorSchemes: MantineColorSchemeManager = {
  get(standard) {
    const stored = siteStorage.read(key);
    return isMantineColorScheme(stored) ? stored : standard;
  },
  set(theme) {
    siteStorage.write(key, theme);
  },
  subscribe() {},
  unsubscribe() {},
  clear: () => siteStorage.remove(key),
};
