import "@mantine/core/styles/NumberInput.layer.css";
import "@mantine/core/styles/Tabs.layer.css";
import { NumberInput, Select, Tabs, useMantineColorScheme } from "@mantine/core";
import type { SettingsRef } from "@packhouse/contract/users";
import { useSearch } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { isLanguage, languages, switchLanguage } from "../../language/i18n.ts";
import { SettingsTabs } from "../../layout/settings-tabs.tsx";
import { useOwnUser } from "../../session/use-session.ts";
import { LeaveGuard } from "../../ui/dialogs/leave-guard.tsx";
import cardStyles from "../../ui/display/card.module.css";
import { BlockableButton } from "../../ui/forms/blockable-button.tsx";
import { fieldHooks } from "../../ui/forms/field-hooks.ts";
import { Form } from "../../ui/forms/form.tsx";
import formStyles from "../../ui/styles/form.module.css";
import pageStyles from "../../ui/styles/page.module.css";
import { saveUserSettings } from "./save-user-settings.ts";

const largestPageSize = 500;

export function SettingsScreen(): ReactNode {
  const { t } = useTranslation();
  const user = useOwnUser();
  const { setColorScheme } = useMantineColorScheme();
  const { tab } = useSearch({ from: "/signed-in/settings-general" });
  const [changes, setChanges] = useState<Partial<SettingsRef>>({});
  const [busy, setBusy] = useState(false);
  const saved = user.userSettings ?? { language: "en-US", theme: "dark", pageSize: 10 };
  const shown = { ...saved, ...changes };
  const changed = (Object.keys(changes) as (keyof SettingsRef)[]).filter((name) => changes[name] !== saved[name]);
  const pageSizeFits = Number.isInteger(shown.pageSize) && shown.pageSize >= 1 && shown.pageSize <= largestPageSize;
  const change = (changed: Partial<SettingsRef>) => setChanges((old) => ({ ...old, ...changed }));
  const save = async () => {
    setBusy(true);
    const sent = Object.fromEntries(changed.map((name) => [name, shown[name]]));
    const taken = await saveUserSettings(user, sent);
    setBusy(false);
    if (!taken) return;
    setColorScheme(shown.theme === "light" ? "light" : "dark");
    if (isLanguage(shown.language)) await switchLanguage(shown.language);
    // What was changed while the server answered is still to be saved.
    setChanges((old) => Object.fromEntries(Object.entries(old).filter(([name, value]) => value !== sent[name])));
  };
  return (
    <div data-testid="screen-settingsGeneral">
      <LeaveGuard when={changed.length > 0} question={t("message.unsaved")} />
      <div className={pageStyles.head}>
        <h1>{t("settings.title")}</h1>
      </div>
      <Form
        blocked={changed.length === 0 ? t("reason.formUnchanged") : pageSizeFits ? undefined : t("message.pageSize")}
        onSubmit={save}
      >
        <SettingsTabs current={tab === "tables" ? "tables" : "general"}>
          <Tabs.Panel value="general" className={`${cardStyles.card} ${formStyles.form} ${pageStyles.narrow}`}>
            <Select
              label={t("settings.language")}
              data={Object.entries(languages).map(([value, { ownName }]) => ({ value, label: ownName }))}
              value={shown.language}
              allowDeselect={false}
              onChange={(language) => change({ language: language ?? saved.language })}
              {...fieldHooks("language")}
            />
            <Select
              label={t("settings.theme")}
              data={(["dark", "light"] as const).map((value) => ({ value, label: t(`settings.${value}`) }))}
              value={shown.theme}
              allowDeselect={false}
              onChange={(theme) => change({ theme: theme ?? saved.theme })}
              {...fieldHooks("theme")}
            />
          </Tabs.Panel>
          <Tabs.Panel value="tables" className={`${cardStyles.card} ${formStyles.form} ${pageStyles.narrow}`}>
            <NumberInput
              label={t("settings.pageSize")}
              value={shown.pageSize}
              error={pageSizeFits ? undefined : t("message.pageSize")}
              onChange={(value) => change({ pageSize: Number(value) })}
              {...fieldHooks("pageSize")}
            />
          </Tabs.Panel>
        </SettingsTabs>
        <div className={`${formStyles.buttons} ${pageStyles.narrow}`} style={{ minHeight: 40 }}>
          {changed.length > 0 && (
            <BlockableButton
              type="submit"
              loading={busy}
              blocked={pageSizeFits ? undefined : t("message.pageSize")}
              data-testid="save"
            >
              {t("action.save")}
            </BlockableButton>
          )}
        </div>
      </Form>
    </div>
  );
}
