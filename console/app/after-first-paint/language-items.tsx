import { Menu } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { currentLanguage, isLanguage, type Language, languages } from "../../language/i18n.ts";
import { useServerConfiguration } from "../../session/use-session.ts";
import { PopupMenu } from "../../ui/popups/popup-menu.tsx";
import type { PopupState } from "../../ui/popups/use-popup.ts";

interface LanguageItemsProps {
  state: PopupState;
  onChoose(language: Language): void;
}

/** The languages in their own names, the current one marked. */
export function LanguageItems({ state, onChoose }: LanguageItemsProps) {
  const supported = useServerConfiguration()?.supportedLanguages ?? [];
  const offered = Object.entries(languages).filter(
    ([language]) => supported.length === 0 || supported.includes(language),
  );
  return (
    <PopupMenu state={state} withinPortal={false}>
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
    </PopupMenu>
  );
}
