import { isMantineColorScheme, type MantineColorSchemeManager } from "@mantine/core";
import { storeTheme } from "../session/stored-session.ts";

const key = "packhouse.theme";

/** Keeps the theme where the script that runs before the first paint reads it. */
export const colorSchemes: MantineColorSchemeManager = {
  get(standard) {
    const stored = localStorage.getItem(key);
    return isMantineColorScheme(stored) ? stored : standard;
  },
  set: storeTheme,
  subscribe() {},
  unsubscribe() {},
  clear: () => localStorage.removeItem(key),
};
