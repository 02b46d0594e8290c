import { userSettingsItem } from "@packhouse/contract/user-settings";
import type { SettingsRef, UserItem } from "@packhouse/contract/users";
import i18next from "i18next";
import { api, replace } from "../../api/client.ts";
import { queryClient } from "../../calls/query-client.ts";
import { reportFailure } from "../../calls/report-failure.tsx";
import { ownUserQuery } from "../../session/session.ts";
import { toast } from "../../ui/toasts.tsx";

/** Saves changed settings of a person; true when the server took them. */
export async function saveUserSettings(user: UserItem, changes: Partial<SettingsRef>): Promise<boolean> {
  try {
    const operations = Object.entries(changes).map(([name, value]) => replace(`/${name}`, value));
    await api.patch(`/user-settings/${user.id}`, userSettingsItem, operations);
    await queryClient.invalidateQueries(ownUserQuery);
    toast.success(i18next.t("message.success"));
    return true;
  } catch (error) {
    reportFailure(error);
    return false;
  }
}
