import { editUserSettings } from "@packhouse/contract/operations/user-settings";
import type { SettingsRef, UserItem } from "@packhouse/contract/users";
import i18next from "i18next";
import { call, replace } from "../../api/client.ts";
import { queryClient } from "../../calls/query-client.ts";
import { reportFailure } from "../../calls/report-failure.tsx";
import { ownUserQuery } from "../../session/session.ts";
import { toast } from "../../ui/toasts.tsx";

/** Saves changed settings of a user; true if the server accepted them. */
export async function saveUserSettings(user: UserItem, changes: Partial<SettingsRef>): Promise<boolean> {
  try {
    const body = Object.entries(changes).map(([name, value]) => replace(`/${name}`, value));
    await call(editUserSettings, { id: user.id, body });
    await queryClient.invalidateQueries(ownUserQuery);
    toast.success(i18next.t("done.settings"));
    return true;
  } catch (error) {
    reportFailure(error);
    return false;
  }
}
