import "@mantine/core/styles/Tabs.layer.css";
import { Tabs } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useOwnUser } from "../session/use-session.ts";

const addresses = {
  general: "/settings-general",
  tables: "/settings-general?tab=tables",
  tokens: "/settings-tokens",
  security: "/settings-security",
  sessions: "/settings-sessions",
  password: "/settings-password",
} as const;
export type SettingsTab = keyof typeof addresses;

/** For people with a password of this server. Other servers do not send whether a user has one. */
const forPasswords: ReadonlySet<SettingsTab> = new Set(["security", "sessions", "password"]);

/** The tabs above every screen of the settings. They are addresses, not states of one screen. */
export function SettingsTabs({ current, children }: { current: SettingsTab; children?: ReactNode }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { hasPassword = false } = useOwnUser();
  const shown = (Object.keys(addresses) as SettingsTab[]).filter(
    (name) => hasPassword || !forPasswords.has(name) || name === current,
  );
  return (
    <Tabs
      value={current}
      onChange={(value) => {
        const address = addresses[value as SettingsTab]; // the values below are these
        void navigate({ to: address as never, href: address });
      }}
      keepMounted={false}
    >
      <Tabs.List mb="md">
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
