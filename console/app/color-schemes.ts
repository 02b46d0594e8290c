import { isMantineColorScheme, type MantineColorSchemeManager } from "@mantine/core";

const key = "packhouse.theme";

/** Stores the theme where the script that runs before the first paint reads it. */
export const colorSchemes: MantineColorSchemeManager = {
  get(standard) {
    const stored = localStorage.getItem(key);
    return isMantineColorScheme(stored) ? stored : standard;
  },
  set: (theme) => localStorage.setItem(key, theme),
  subscribe() {},
  unsubscribe() {},
  clear: () => localStorage.removeItem(key),
};
