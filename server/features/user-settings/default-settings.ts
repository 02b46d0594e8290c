import type { SettingsRef } from "@packhouse/contract/users";
import type { Settings } from "../../platform/settings/settings.ts";

/** The settings of users who have saved none. */
export const defaultSettings = (settings: Settings): SettingsRef => ({
  language: settings["defaults.language"],
  theme: settings["defaults.theme"],
  pageSize: settings["defaults.pageSize"],
});
