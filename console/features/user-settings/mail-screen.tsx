import "./texts.ts";
import { Button, Select } from "@mantine/core";
import { type MailChoices, type MailKind, mailKinds, mailTime, noMailHost } from "@packhouse/contract/mail";
import { editUserSettings, readUserSettings } from "@packhouse/contract/operations/user-settings";
import { hasRole, type RoleName } from "@packhouse/contract/roles";
import type { UserSettingsItem } from "@packhouse/contract/user-settings";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { call, replace } from "../../api/client.ts";
import { loadFailure } from "../../api/load-failure.ts";
import { useChange } from "../../calls/use-change.ts";
import { SettingsTabs } from "../../layout/settings-tabs.tsx";
import { useOwnUser, useServerConfiguration } from "../../session/use-session.ts";
import { LeaveGuard } from "../../ui/dialogs/leave-guard.tsx";
import cardStyles from "../../ui/display/card.module.css";
import { FailedLoad } from "../../ui/display/failed-load.tsx";
import { fieldHooks } from "../../ui/forms/field-hooks.ts";
import formStyles from "../../ui/styles/form.module.css";
import pageStyles from "../../ui/styles/page.module.css";
import textStyles from "../../ui/styles/text.module.css";

/** The lowest role whose users can get a kind of mail. */
const lowestRole: Record<MailKind, RoleName> = {
  reviews: "packagemaintainer",
  otherReviews: "packagemaintainer",
  decisions: "user",
  tokens: "user",
  mirrors: "repositorymaintainer",
};

/** When the user gets mail about what. */
export function MailScreen() {
  const { t } = useTranslation();
  const { id } = useOwnUser();
  const enabled = useServerConfiguration()?.mailEnabled;
  const query = { queryKey: ["user-settings", id], queryFn: () => call(readUserSettings, { id }) };
  const { data, error, refetch } = useQuery(query);
  return (
    <div data-testid="screen-settingsMail">
      <div className={pageStyles.head}>
        <h1>{t("settings.title")}</h1>
      </div>
      <SettingsTabs current="mail" />
      {data?.mail && enabled ? (
        <Choices saved={data.mail} own={data} />
      ) : data ? (
        <p className={textStyles.muted}>{t("mail.none")}</p>
      ) : (
        error && <FailedLoad {...loadFailure(error, t)} onRetry={() => void refetch()} />
      )}
    </div>
  );
}

function Choices({ saved, own }: { saved: Partial<MailChoices>; own: UserSettingsItem }) {
  const { t } = useTranslation();
  const { id, role } = useOwnUser();
  const queries = useQueryClient();
  const [changes, setChanges] = useState<Partial<MailChoices>>({});
  const shown = mailKinds.filter((kind) => saved[kind] !== undefined && hasRole(role, lowestRole[kind]));
  const changed = shown.filter((kind) => changes[kind] !== undefined && changes[kind] !== saved[kind]);
  const { busy, change } = useChange(
    async () => {
      const body = changed.map((kind) => replace(`/mail/${kind}`, changes[kind]));
      queries.setQueryData(["user-settings", id], await call(editUserSettings, { id, body }));
    },
    { success: t("done.settings"), onDone: () => setChanges({}) },
  );
  return (
    <div className={pageStyles.narrow}>
      <LeaveGuard when={changed.length > 0 && !busy} question={t("message.unsaved")} />
      <div className={`${cardStyles.card} ${formStyles.form}`}>
        <p className={textStyles.muted} style={{ margin: 0 }}>
          {own.user.email.endsWith(noMailHost) ? t("mail.noAddress") : t("mail.lead", { address: own.user.email })}
        </p>
        {shown.map((kind) => (
          <Select
            key={kind}
            label={t(`mail.kind.${kind}`)}
            description={t(`mail.hint.${kind}`)}
            data={mailTime.options.map((value) => ({ value, label: t(`mail.time.${value}`) }))}
            value={changes[kind] ?? saved[kind] ?? null}
            allowDeselect={false}
            onChange={(value) => setChanges({ ...changes, [kind]: mailTime.safeParse(value).data })}
            {...fieldHooks(kind)}
          />
        ))}
      </div>
      <div className={formStyles.buttons} style={{ minHeight: 40 }}>
        {changed.length > 0 && (
          <Button onClick={change} loading={busy} data-testid="save">
            {t("action.save")}
          </Button>
        )}
      </div>
    </div>
  );
}
