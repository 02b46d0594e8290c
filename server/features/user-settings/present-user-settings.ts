import type { Sent } from "@packhouse/contract/answer";
import { usualMail } from "@packhouse/contract/mail";
import type { userSettingsItem } from "@packhouse/contract/user-settings";
import type { Viewer } from "../../http/application.ts";
import type { Settings } from "../../platform/settings/settings.ts";
import { defaultSettings } from "./default-settings.ts";
import type { SavedSettings } from "./store.ts";

/** Settings without links; the defaults, with id 0, where nothing was saved. */
export const settingsBody = (row: SavedSettings, settings: Settings) => ({
  id: row.id,
  ...(row.saved ?? { ...defaultSettings(settings), mail: usualMail }),
  user: row.user,
});

/** Only users who may change settings can read them, so the link to do so is always there. */
export function presentUserSettings(
  row: SavedSettings,
  settings: Settings,
  { api }: Viewer,
): Sent<typeof userSettingsItem> {
  const self = `${api}/user-settings/${row.user.id}`;
  return {
    ...settingsBody(row, settings),
    links: [
      { rel: "self", href: self },
      { rel: "self", href: self, type: "PATCH" },
      { rel: "user", href: `${api}/users/${row.user.id}` },
    ],
  };
}
