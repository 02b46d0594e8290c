import { IconLanguage } from "@tabler/icons-react";
import { Suspense } from "react";
import { useTranslation } from "react-i18next";
import type { Language } from "../../language/i18n.ts";
import { BarButton } from "../../layout/bar-button.tsx";
import { lazyWithRetry } from "../../ui/loading/lazy-with-retry.ts";
import { usePopup } from "../../ui/popups/use-popup.ts";

const LanguageItems = lazyWithRetry(() => import("./language-items.tsx").then((it) => it.LanguageItems));

export function LanguageMenu({ onChoose }: { onChoose(language: Language): void }) {
  const { t } = useTranslation();
  const { button, state } = usePopup("menu");
  return (
    <>
      <BarButton icon={IconLanguage} label={t("shell.language")} data-testid="topbar-language" {...button} />
      <Suspense>{state && <LanguageItems state={state} onChoose={onChoose} />}</Suspense>
    </>
  );
}
