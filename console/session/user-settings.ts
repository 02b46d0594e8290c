import type { UserItem } from "@packhouse/contract/users";
import { currentLanguage, isLanguage, switchLanguage } from "../language/i18n.ts";

/** The theme that a user has selected; undefined: none. */
export const themeOf = ({ userSettings }: UserItem): "dark" | "light" | undefined =>
  userSettings ? (userSettings.theme === "light" ? "light" : "dark") : undefined;

/** Applies the signed-in user's language before the page renders. */
export async function applyLanguage({ userSettings }: UserItem): Promise<void> {
  if (!userSettings) return;
  if (isLanguage(userSettings.language) && userSettings.language !== currentLanguage())
    await switchLanguage(userSettings.language);
}
