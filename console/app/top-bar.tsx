import { ActionIcon, Menu, Tooltip, useMantineColorScheme } from "@mantine/core";
import { IconCheck, IconLanguage, IconMenu2, IconMoon, IconSun } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { configuration } from "../api/configuration.ts";
import { currentLanguage, isLanguage, type Language, languages } from "../language/i18n.ts";
import { Mark } from "./mark.tsx";

interface TopBarProps {
  onMenu?: () => void;
  /** Only people who are signed in have a language of their own. */
  onLanguage?: (language: Language) => void;
  onTheme(theme: "dark" | "light"): void;
}

export function TopBar({ onMenu, onLanguage, onTheme }: TopBarProps) {
  const { t } = useTranslation();
  const { colorScheme } = useMantineColorScheme();
  const [choosing, setChoosing] = useState(false);
  const dark = colorScheme !== "light";
  return (
    <header className="ph-bar">
      {onMenu && (
        <ActionIcon
          className="ph-bar-button"
          variant="transparent"
          hiddenFrom="lg"
          aria-label={t("nav.menu")}
          onClick={onMenu}
          data-testid="topbar-menu"
        >
          <IconMenu2 size={20} />
        </ActionIcon>
      )}
      <Link to="/packages">
        <Mark size={26} />
        {configuration().title}
      </Link>
      <span className="ph-spring" />
      {onLanguage && (
        <Menu position="bottom-end" withinPortal={false} withInitialFocusPlaceholder={false} onChange={setChoosing}>
          <Menu.Target>
            <Tooltip label={t("shell.language")} disabled={choosing} withinPortal={false}>
              <ActionIcon
                className="ph-bar-button"
                variant="transparent"
                aria-label={t("shell.language")}
                data-testid="topbar-language"
              >
                <IconLanguage size={20} />
              </ActionIcon>
            </Tooltip>
          </Menu.Target>
          <Menu.Dropdown>
            {Object.entries(languages).map(([language, { code, ownName }]) => (
              <Menu.Item
                key={language}
                data-testid={`language-${code}`}
                leftSection={
                  <IconCheck
                    size={16}
                    style={{ visibility: language === currentLanguage() ? "visible" : "hidden" }}
                    aria-hidden
                  />
                }
                onClick={() => isLanguage(language) && onLanguage(language)}
              >
                <span lang={code}>{ownName}</span>
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      <Tooltip label={t("shell.theme")} withinPortal={false}>
        <ActionIcon
          className="ph-bar-button"
          variant="transparent"
          aria-label={t("shell.theme")}
          onClick={() => onTheme(dark ? "light" : "dark")}
          data-testid="topbar-theme"
        >
          {dark ? <IconSun size={20} /> : <IconMoon size={20} />}
        </ActionIcon>
      </Tooltip>
    </header>
  );
}
