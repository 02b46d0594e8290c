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
import "@mantine/core/styles/Switch.layer.css";
import "@mantine/core/styles/Tabs.layer.css";
import "@mantine/core/styles/Alert.layer.css";
import "@mantine/core/styles/NumberInput.layer.css";
import { Drawer, useMantineColorScheme } from "@mantine/core";
import { type Ability, can } from "@packhouse/contract/abilities";
import { submissionList } from "@packhouse/contract/submissions";
import {
  IconCloudUpload,
  IconFolderRoot,
  IconHistory,
  IconKey,
  IconLogout,
  IconMail,
  IconMenu2,
  IconPackage,
  IconSettings,
  IconUserCog,
  IconUserShield,
  IconUsers,
} from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, Outlet, useNavigate, useRouterState } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { api } from "../api/client.ts";
import { configuration } from "../api/configuration.ts";
import { formatNumber, type Language, switchLanguage } from "../language/i18n.ts";
import { version } from "../package.json";
import { signOut } from "../session/sign-out.ts";
import { useOwnUser } from "../session/use-session.ts";
import { saveUserSettings } from "../settings/save-user-settings.ts";
import { Avatar } from "../ui/avatar.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { applyThemesBy } from "./apply-user-settings.ts";
import { BarButton } from "./bar-button.tsx";
import { LanguageMenu } from "./language-menu.tsx";
import { TopBar } from "./top-bar.tsx";

const entries = [
  {
    name: "addSubmission",
    to: "/upload-packages",
    label: "nav.upload",
    icon: IconCloudUpload,
    ability: "POST submissions",
  },
  { name: "packages", to: "/packages", label: "nav.packages", icon: IconPackage, ability: "GET packages" },
  {
    name: "repositories",
    to: "/repositories",
    label: "nav.repositories",
    icon: IconFolderRoot,
    ability: "GET repositories",
  },
  { name: "submissions", to: "/submissions", label: "nav.submissions", icon: IconMail, ability: "GET submissions" },
  {
    name: "packageMaintainers",
    to: "/package-maintainers",
    label: "nav.packageMaintainers",
    icon: IconUserCog,
    ability: "GET packageMaintainers",
  },
  {
    name: "repositoryMaintainers",
    to: "/repository-maintainers",
    label: "nav.repositoryMaintainers",
    icon: IconUserShield,
    ability: "GET repositoryMaintainers",
  },
  { name: "users", to: "/users", label: "nav.users", icon: IconUsers, ability: "GET users" },
  { name: "events", to: "/events", label: "nav.events", icon: IconHistory, ability: "GET events" },
  {
    name: "settingsTokens",
    to: "/settings-tokens",
    label: "nav.tokens",
    icon: IconKey,
    ability: "GET settings",
  },
  {
    name: "settingsGeneral",
    to: "/settings-general",
    label: "nav.settings",
    icon: IconSettings,
    ability: "GET settings",
  },
] as const satisfies { name: string; to: string; label: string; icon: typeof IconMail; ability: Ability }[];

/** Top bar, drawer and content of every screen behind the sign-in. */
export function Shell() {
  const { t } = useTranslation();
  const { setColorScheme } = useMantineColorScheme();
  const [open, setOpen] = useState(false);
  const user = useOwnUser();
  useEffect(() => applyThemesBy(setColorScheme), [setColorScheme]);
  useEffect(() => {
    if (user.userSettings) setColorScheme(user.userSettings.theme === "light" ? "light" : "dark");
  }, [user.userSettings, setColorScheme]);

  const changeTheme = (theme: "dark" | "light") => {
    setColorScheme(theme);
    void saveUserSettings(user, { theme });
  };
  const changeLanguage = async (language: Language) => {
    await switchLanguage(language);
    await saveUserSettings(user, { language });
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
        onTheme={changeTheme}
      >
        <LanguageMenu onChoose={(language) => void changeLanguage(language)} />
      </TopBar>
      <div className="ph-frame">
        <aside className="ph-drawer">
          <DrawerContent onNavigate={() => {}} />
        </aside>
        <Drawer.Root opened={open} onClose={() => setOpen(false)} size={264}>
          <Drawer.Overlay backgroundOpacity={0.7} />
          <Drawer.Content aria-label={t("nav.menu")}>
            <Drawer.Body className="ph-drawer-overlay">
              <DrawerContent onNavigate={() => setOpen(false)} />
            </Drawer.Body>
          </Drawer.Content>
        </Drawer.Root>
        <main id="main" className="ph-main" tabIndex={-1}>
          <Outlet />
        </main>
      </div>
    </>
  );
}

function DrawerContent({ onNavigate }: { onNavigate(): void }) {
  const { t } = useTranslation();
  const user = useOwnUser();
  const navigate = useNavigate();
  const path = useRouterState({ select: (state) => state.location.pathname });
  const { data: waiting } = useQuery({
    queryKey: ["list", "waiting-for-me"],
    queryFn: ({ signal }) => api.list(submissionList, "assignedToMe=true&state=WAITING&size=1", signal),
    select: (page) => page.page.totalElements,
    meta: { shownInPlace: true },
  });
  const leave = () => {
    signOut();
    void navigate({ to: "/login" });
  };
  return (
    <>
      <div className="ph-drawer-head">
        <Avatar name={user.name} />
        <div style={{ minWidth: 0, flex: 1 }}>
          <div className="ph-strong" style={{ fontWeight: 650, overflow: "hidden", textOverflow: "ellipsis" }}>
            {user.name}
          </div>
          <div className="ph-muted" style={{ fontSize: "0.78rem" }}>
            {t("session.signedIn")} · {t(`role.${user.role}`)}
          </div>
        </div>
        <IconButton icon={IconLogout} label={t("session.signOut")} testId="nav-logout" onPress={leave} />
      </div>
      <nav aria-label={t("nav.main")} style={{ display: "grid", gap: 2 }}>
        {entries
          .filter((entry) => can(user.role, entry.ability))
          .map(({ name, to, label, icon: Icon }) => (
            <Link
              key={name}
              to={to}
              className="ph-entry"
              aria-current={path.startsWith(to) ? "page" : undefined}
              data-testid={`nav-${name}`}
              onClick={onNavigate}
              activeProps={{}}
            >
              <Icon size={18} stroke={1.75} aria-hidden />
              {t(label)}
              {name === "submissions" && waiting ? (
                <span
                  className="ph-state"
                  data-state="WAITING"
                  style={{ marginLeft: "auto", padding: "1px 7px", fontSize: "0.78rem" }}
                >
                  {formatNumber(waiting)}
                </span>
              ) : null}
            </Link>
          ))}
      </nav>
      <div className="ph-drawer-foot">{`${configuration().title} ${version}`}</div>
    </>
  );
}
