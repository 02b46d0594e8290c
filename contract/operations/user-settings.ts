import { edit, read } from "../operation.ts";
import { userSettingsItem } from "../user-settings.ts";

export const readUserSettings = read("/user-settings/:id", {
  permission: "readUserSettings",
  summary: "Settings of a user, by user ID",
  data: userSettingsItem,
  codes: ["user.notfound"],
});
export const editUserSettings = edit("/user-settings/:id", {
  permission: "editUserSettings",
  summary: "Change the settings of a user",
  data: userSettingsItem,
  codes: ["user.notfound"],
});

export const userSettingsOperations = [readUserSettings, editUserSettings] as const;
