import { Menu } from "@mantine/core";
import { IconCheck, IconLanguage } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { currentLanguage, isLanguage, type Language, languages } from "../../language/i18n.ts";
import { BarButton } from "../../layout/bar-button.tsx";
import { useServerConfiguration } from "../../session/use-session.ts";

/** The languages in their own names, the current one marked. */
export function LanguageMenu({ onChoose }: { onChoose(language: Language): void }) {
  const { t } = useTranslation();
  const supported = useServerConfiguration()?.supportedLanguages ?? [];
  const offered = Object.entries(languages).filter(
    ([language]) => supported.length === 0 || supported.includes(language),
  );
  return (
    <Menu position="bottom-end" withinPortal={false} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <BarButton icon={IconLanguage} label={t("shell.language")} data-testid="topbar-language" />
      </Menu.Target>
      <Menu.Dropdown>
        {offered.map(([language, { code, ownName }]) => (
          <Menu.Item
            key={language}
            data-testid={`language-${code}`}
            role="menuitemradio"
            aria-checked={language === currentLanguage()}
            leftSection={
              <IconCheck
                size={16}
                style={{ visibility: language === currentLanguage() ? "visible" : "hidden" }}
                aria-hidden
              />
            }
            onClick={() => isLanguage(language) && onChoose(language)}
          >
            <span lang={code}>{ownName}</span>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
