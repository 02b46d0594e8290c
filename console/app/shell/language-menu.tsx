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
        <Menu.RadioGroup value={currentLanguage()} onChange={(language) => isLanguage(language) && onChoose(language)}>
          {offered.map(([language, { code, ownName }]) => (
            <Menu.RadioItem
              key={language}
              value={language}
              checkIcon={<IconCheck size={16} aria-hidden />}
              closeMenuOnClick
              data-testid={`language-${code}`}
            >
              <span lang={code}>{ownName}</span>
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}
