import "@mantine/core/styles/Tabs.layer.css";
import { Tabs } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { ownSecondFactorsQuery } from "../api/own-second-factors.ts";

const addresses = {
  general: "/settings-general",
  tables: "/settings-general?tab=tables",
  tokens: "/settings-tokens",
  security: "/settings-security",
} as const;
export type SettingsTab = keyof typeof addresses;

/** The tabs above every screen of the settings. They are addresses, not states of one screen. */
export function SettingsTabs({ current, children }: { current: SettingsTab; children?: ReactNode }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const own = useQuery(ownSecondFactorsQuery).data;
  // Other servers have nothing there, and users of an identity provider need nothing.
  const hasSecurity =
    current === "security" || (own !== undefined && (own.methods.length > 0 || own.factors.length > 0));
  const shown = (Object.keys(addresses) as SettingsTab[]).filter((name) => name !== "security" || hasSecurity);
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
