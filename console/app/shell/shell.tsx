// Mantine's styles are loaded per component and in a separate layer, so that ours win whatever the load order.
import "@mantine/core/styles/ScrollArea.layer.css";
import "@mantine/core/styles/Paper.layer.css";
import "@mantine/core/styles/Overlay.layer.css";
import "@mantine/core/styles/Popover.layer.css";
import "@mantine/core/styles/Tooltip.layer.css";
import "@mantine/core/styles/ModalBase.layer.css";
import "@mantine/core/styles/Modal.layer.css";
import "@mantine/core/styles/Menu.layer.css";
import "@mantine/core/styles/Combobox.layer.css";
import { useMantineColorScheme } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { IconBell, IconLanguage, IconMenu2, IconSearch } from "@tabler/icons-react";
import { Outlet, useLocation, useNavigate } from "@tanstack/react-router";
import {
  type MouseEvent,
  Suspense,
  startTransition,
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useState,
} from "react";
import { useTranslation } from "react-i18next";
import { saveUserSettings } from "../../features/user-settings/save-user-settings.ts";
import { type Language, switchLanguage } from "../../language/i18n.ts";
import barButtonStyles from "../../layout/bar-button.module.css";
import { BarButton } from "../../layout/bar-button.tsx";
import { TopBar } from "../../layout/top-bar.tsx";
import { useSessionPause } from "../../session/session-pause.ts";
import { useOwnUser } from "../../session/use-session.ts";
import { useSignOut } from "../../session/use-sign-out.ts";
import { themeOf } from "../../session/user-settings.ts";
import { useScreenName } from "../../ui/document-title.ts";
import { HintLayer } from "../../ui/hint.tsx";
import { lazyWithRetry, withRetry } from "../../ui/loading/lazy-with-retry.ts";
import { whenIdle } from "../../ui/loading/when-idle.ts";
import pageStyles from "../../ui/styles/page.module.css";
import textStyles from "../../ui/styles/text.module.css";
import visibilityStyles from "../../ui/styles/visibility.module.css";
import { useMedia } from "../../ui/use-media.ts";
import { useDestinationKeys } from "../navigation/use-destination-keys.ts";
import { BottomBar } from "./bottom-bar.tsx";
import { DrawerContent } from "./drawer-content.tsx";
import { OfflineBanner } from "./offline-banner.tsx";
import styles from "./shell.module.css";

const afterFirstPaint = () => import("../after-first-paint/after-first-paint.ts");
// Loaded when they are opened.
const DrawerOverlay = lazyWithRetry(() => import("./drawer-overlay.tsx").then((it) => it.DrawerOverlay));
const Palette = lazyWithRetry(() => import("./palette.tsx").then((it) => it.Palette));
const SignInAgain = lazyWithRetry(() => import("../../sign-in/sign-in-again.tsx").then((it) => it.SignInAgain));
const Rail = lazyWithRetry(() => import("./rail.tsx").then((it) => it.Rail));
const KeysDialog = lazyWithRetry(() => import("./keys-dialog.tsx").then((it) => it.KeysDialog));

/**
 * Top bar, drawer and content of every screen behind the sign-in. The router renders synchronously; what is deferred is
 * rendered in slices, so that slow devices stay responsive.
 */
export function Shell() {
  return useDeferredValue(true, false) && <WholeShell />;
}

/** A link to `#main` alone would be one to the console's first page, which its base address names. */
function skipToMain(event: MouseEvent): void {
  event.preventDefault();
  document.getElementById("main")?.focus();
}

/** What a screen reader announces after a change of screens. */
function ScreenName() {
  return (
    <div className={visibilityStyles.hidden} aria-live="polite" data-testid="screen-name">
      {useScreenName()}
    </div>
  );
}

function WholeShell() {
  const { t } = useTranslation();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const navigate = useNavigate();
  const [open, setOpen] = useState(false);
  const [searching, setSearching] = useState(false);
  const [help, setHelp] = useState(false);
  const [rest, setRest] = useState<Awaited<ReturnType<typeof afterFirstPaint>>>();
  const pause = useSessionPause();
  // A difference needs the width.
  const onDesk = useLocation({ select: ({ pathname }) => pathname.startsWith("/review") });
  // Otherwise, the drawer opens over the page.
  const fitsDrawer = useMedia("(min-width: 1280px)");
  const user = useOwnUser();
  const chosenTheme = themeOf(user);
  // Before the paint, and only when it changes: setting a scheme recomputes all styles.
  const showTheme = useEffectEvent((theme: "dark" | "light") => {
    if (theme !== colorScheme) setColorScheme(theme);
  });
  useLayoutEffect(() => {
    if (chosenTheme) showTheme(chosenTheme);
  }, [chosenTheme]);
  // The rest of the shell loads when the browser has painted the screen and is idle, and renders in slices.
  useEffect(() => {
    const fail = (error: unknown) =>
      setRest(() => {
        throw error; // while rendering, so that the page says so
      });
    whenIdle(() => void withRetry(afterFirstPaint).then((it) => startTransition(() => setRest(it)), fail));
  }, []);
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
  const leave = useSignOut();
  const bell = <BarButton icon={IconBell} label={t("shell.notifications")} />;
  const globe = <BarButton icon={IconLanguage} label={t("shell.language")} />;
  return (
    <>
      {/* biome-ignore lint/a11y/useValidAnchor: it leads to a part of the page, as links do */}
      <a href="#main" className={styles.skip} onClick={skipToMain}>
        {t("nav.skip")}
      </a>
      <ScreenName />
      <TopBar
        start={
          <BarButton
            icon={IconMenu2}
            label={t("nav.menu")}
            className={barButtonStyles.menu}
            onClick={() => setOpen(true)}
            data-testid="topbar-menu"
          />
        }
        search={
          <button
            type="button"
            className={styles.search}
            aria-label={t("shell.search")}
            onClick={() => setSearching(true)}
            data-testid="search"
          >
            <IconSearch size={18} stroke={1.75} aria-hidden />
            <span>{t("shell.search")}</span>
            <kbd className={textStyles.key}>/</kbd>
          </button>
        }
        end={
          <>
            {rest ? <rest.NotificationBell /> : bell}
            {rest && <rest.UserMenu onSignOut={leave} />}
          </>
        }
        onHome={() => void navigate({ to: "/packages" })}
        onTheme={changeTheme}
      >
        {rest ? <rest.LanguageMenu onChoose={(language) => void changeLanguage(language)} /> : globe}
      </TopBar>
      <OfflineBanner />
      <div className={styles.frame}>
        {onDesk ? (
          <Suspense>
            <Rail onMenu={() => setOpen(true)} />
          </Suspense>
        ) : (
          fitsDrawer && (
            <aside className={styles.drawer} data-testid="drawer">
              <DrawerContent onNavigate={() => {}} onSignOut={leave} onHelp={() => setHelp(true)} />
            </aside>
          )
        )}
        <main id="main" className={pageStyles.main} tabIndex={-1}>
          <Outlet />
          <HintLayer />
        </main>
      </div>
      <BottomBar />
      {/* Separate boundaries: what loads late must not hide what is already there. */}
      <Suspense>{rest && <rest.ProgressOverlay />}</Suspense>
      <Suspense>{rest && <rest.UploadTray />}</Suspense>
      <Suspense>
        {open && (
          <DrawerOverlay
            onClose={() => setOpen(false)}
            onSignOut={leave}
            onHelp={() => {
              setOpen(false);
              setHelp(true);
            }}
          />
        )}
      </Suspense>
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
      </Suspense>
      <Suspense>{pause !== "none" && <SignInAgain over={pause === "over"} onLeave={leave} />}</Suspense>
      <Suspense>{help && <KeysDialog onClose={() => setHelp(false)} />}</Suspense>
    </>
  );
}
