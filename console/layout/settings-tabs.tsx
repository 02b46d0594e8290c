import "@mantine/core/styles/Tabs.layer.css";
import { Tabs } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { addTexts } from "../language/i18n.ts";
import { settingsTexts } from "../language/shell/settings-texts.ts";
import { useOwnUser, useServerConfiguration } from "../session/use-session.ts";
import tabsStyles from "../ui/styles/tabs.module.css";

addTexts(settingsTexts);

const pages = {
  general: { to: "/settings-general", search: {} },
  tables: { to: "/settings-general", search: { tab: "tables" } },
  tokens: { to: "/settings-tokens", search: {} },
  mail: { to: "/settings-mail", search: {} },
  security: { to: "/settings-security", search: {} },
  sessions: { to: "/settings-sessions", search: {} },
  password: { to: "/settings-password", search: {} },
} as const;
export type SettingsTab = keyof typeof pages;
const isTab = (value: string | null): value is SettingsTab => value !== null && Object.hasOwn(pages, value);

/** For users with a password of this server. Other servers do not report whether a user has one. */
const forPasswords: ReadonlySet<SettingsTab> = new Set(["security", "sessions", "password"]);

const showCurrent = (list: HTMLDivElement | null): void =>
  list?.querySelector("[data-active]")?.scrollIntoView({ block: "nearest", inline: "center" });

/** The tabs above every settings screen. They are addresses, not states of one screen. */
export function SettingsTabs({ current, children }: { current: SettingsTab; children?: ReactNode }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { hasPassword = false } = useOwnUser();
  const mailEnabled = useServerConfiguration()?.mailEnabled ?? false;
  const isOffered = (name: SettingsTab) => (name === "mail" ? mailEnabled : hasPassword || !forPasswords.has(name));
  const shown = Object.keys(pages)
    .filter(isTab)
    .filter((name) => isOffered(name) || name === current);
  return (
    <Tabs
      value={current}
      onChange={(value) => {
        if (isTab(value)) void navigate(pages[value]);
      }}
      keepMounted={false}
      // Each is an address: the arrow keys pass them without loading every screen on the way.
      activateTabWithKeyboard={false}
      style={{ minWidth: 0 }}
    >
      <Tabs.List mb="md" className={tabsStyles.scrolling} ref={showCurrent}>
        {shown.map((name) => (
          <Tabs.Tab key={name} value={name} data-testid={`tab-${name}`}>
            {t(`settings.${name}`)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {children}
    </Tabs>
  );
}
