import type { UserItem } from "@packhouse/contract/users";
import { currentLanguage, isLanguage, switchLanguage } from "../language/i18n.ts";

/** Told when a person's theme is known; the shell, which may change the scheme, listens. */
let onTheme: (theme: "dark" | "light") => void = () => {};
export const applyThemesBy = (apply: typeof onTheme): void => {
  onTheme = apply;
};

/** Language and theme of whoever is signed in, before the page is drawn. */
export async function applyUserSettings({ userSettings }: UserItem): Promise<void> {
  if (!userSettings) return;
  onTheme(userSettings.theme === "light" ? "light" : "dark");
  if (isLanguage(userSettings.language) && userSettings.language !== currentLanguage())
    await switchLanguage(userSettings.language);
}
