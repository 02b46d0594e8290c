import { usualMail } from "@packhouse/contract/mail";
import type { Settings } from "../../platform/settings/settings.ts";
import type { UserSettings } from "./store.ts";

/** The settings of users who have saved none. */
export const defaultSettings = (settings: Settings): UserSettings => ({
  language: settings["defaults.language"],
  theme: settings["defaults.theme"],
  pageSize: settings["defaults.pageSize"],
  mail: usualMail,
});
