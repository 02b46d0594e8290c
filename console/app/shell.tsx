// Styles of Mantine are loaded by component and in a layer of their own, so that ours win whenever they arrive.
import "@mantine/core/styles/ScrollArea.layer.css";
import "@mantine/core/styles/Paper.layer.css";
import "@mantine/core/styles/Overlay.layer.css";
import "@mantine/core/styles/Popover.layer.css";
import "@mantine/core/styles/Tooltip.layer.css";
import "@mantine/core/styles/ModalBase.layer.css";
import "@mantine/core/styles/Modal.layer.css";
import "@mantine/core/styles/Drawer.layer.css";
import "@mantine/core/styles/Menu.layer.css";
import "@mantine/core/styles/Combobox.layer.css";
import "@mantine/core/styles/InlineInput.layer.css";
import "@mantine/core/styles/Checkbox.layer.css";
import "@mantine/core/styles/SegmentedControl.layer.css";
import "@mantine/core/styles/Progress.layer.css";
import "@mantine/core/styles/RingProgress.layer.css";
import "@mantine/core/styles/Switch.layer.css";
import "@mantine/core/styles/Tabs.layer.css";
import "@mantine/core/styles/Alert.layer.css";
import "@mantine/core/styles/NumberInput.layer.css";
import { Drawer, useMantineColorScheme } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { IconMenu2, IconSearch } from "@tabler/icons-react";
import { Outlet, useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { type Language, switchLanguage } from "../language/i18n.ts";
import { signOut } from "../session/sign-out.ts";
import { useOwnUser } from "../session/use-session.ts";
import { saveUserSettings } from "../settings/save-user-settings.ts";
import { applyThemesBy } from "./apply-user-settings.ts";
import { BarButton } from "./bar-button.tsx";
import { BottomBar } from "./bottom-bar.tsx";
import { DrawerContent } from "./drawer-content.tsx";
import { LanguageMenu } from "./language-menu.tsx";
import { NotificationBell } from "./notification-bell.tsx";
import { OfflineBanner } from "./offline-banner.tsx";
import { TopBar } from "./top-bar.tsx";
import { UploadTray } from "./upload-tray.tsx";
import { useDestinationKeys } from "./use-destination-keys.ts";

const Palette = lazy(() => import("./palette.tsx").then(({ Palette }) => ({ default: Palette })));
const KeysDialog = lazy(() => import("./keys-dialog.tsx").then(({ KeysDialog }) => ({ default: KeysDialog })));

/** Top bar, drawer and content of every screen behind the sign-in. */
export function Shell() {
  const { t } = useTranslation();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const navigate = useNavigate();
  const [open, setOpen] = useState(false);
  const [searching, setSearching] = useState(false);
  const [help, setHelp] = useState(false);
  const user = useOwnUser();
  useEffect(() => applyThemesBy(setColorScheme), [setColorScheme]);
  useEffect(() => {
    if (user.userSettings) setColorScheme(user.userSettings.theme === "light" ? "light" : "dark");
  }, [user.userSettings, setColorScheme]);
  useDestinationKeys({ onSearch: () => setSearching(true), onHelp: () => setHelp(true) });
  useHotkeys([["mod+K", () => setSearching(true)]], []);

  const changeTheme = (theme: "dark" | "light") => {
    setColorScheme(theme);
    void saveUserSettings(user, { theme });
  };
  const changeLanguage = async (language: Language) => {
    await switchLanguage(language);
    await saveUserSettings(user, { language });
  };
  const leave = () => {
    signOut();
    void navigate({ to: "/login" });
  };
  return (
    <>
      <a href="#main" className="ph-skip">
        {t("nav.skip")}
      </a>
      <TopBar
        start={
          <BarButton
            icon={IconMenu2}
            label={t("nav.menu")}
            className="ph-menu-button"
            onClick={() => setOpen(true)}
            data-testid="topbar-menu"
          />
        }
        search={
          <button type="button" className="ph-search" onClick={() => setSearching(true)} data-testid="search">
            <IconSearch size={18} stroke={1.75} aria-hidden />
            <span>{t("palette.placeholder")}</span>
            <kbd className="ph-key">/</kbd>
          </button>
        }
        end={<NotificationBell />}
        onTheme={changeTheme}
      >
        <LanguageMenu onChoose={(language) => void changeLanguage(language)} />
      </TopBar>
      <OfflineBanner />
      <div className="ph-frame">
        <aside className="ph-drawer">
          <DrawerContent onNavigate={() => {}} onSignOut={leave} onHelp={() => setHelp(true)} />
        </aside>
        <Drawer.Root opened={open} onClose={() => setOpen(false)} size={264}>
          <Drawer.Overlay backgroundOpacity={0.7} />
          <Drawer.Content aria-label={t("nav.menu")}>
            <Drawer.Body className="ph-drawer-overlay">
              <DrawerContent
                onNavigate={() => setOpen(false)}
                onSignOut={leave}
                onHelp={() => {
                  setOpen(false);
                  setHelp(true);
                }}
              />
            </Drawer.Body>
          </Drawer.Content>
        </Drawer.Root>
        <main id="main" className="ph-main" tabIndex={-1}>
          <Outlet />
        </main>
      </div>
      <UploadTray />
      <BottomBar />
      <Suspense>
        {searching && (
          <Palette
            dark={colorScheme !== "light"}
            onTheme={changeTheme}
            onSignOut={leave}
            onHelp={() => setHelp(true)}
            onClose={() => setSearching(false)}
          />
        )}
        {help && <KeysDialog onClose={() => setHelp(false)} />}
      </Suspense>
    </>
  );
}
