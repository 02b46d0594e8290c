import { Menu } from "@mantine/core";
import { IconKey, IconLogout, IconSettings } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import barButtonStyles from "../../layout/bar-button.module.css";
import { roleLabel } from "../../session/role.ts";
import { useOwnUser } from "../../session/use-session.ts";
import { Avatar } from "../../ui/display/avatar.tsx";
import textStyles from "../../ui/styles/text.module.css";
import visibilityStyles from "../../ui/styles/visibility.module.css";

/** The signed-in user and their menu, where the drawer is not always visible. */
export function UserMenu({ onSignOut }: { onSignOut(): void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const user = useOwnUser();
  const label = t("session.menu", { name: user.name });
  return (
    <Menu position="bottom-end" withinPortal={false} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <button
          type="button"
          className={`${barButtonStyles.button} ${visibilityStyles.narrowOnly}`}
          title={label}
          data-testid="topbar-user"
        >
          <Avatar name={user.name} />
          <span className={visibilityStyles.hidden}>{label}</span>
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <span className={textStyles.strong}>{user.name}</span>
          <br />
          {user.login} · {roleLabel(user.roleAtServer, t)}
        </Menu.Label>
        <Menu.Item
          leftSection={<IconSettings size={16} aria-hidden />}
          onClick={() => void navigate({ to: "/settings-general" })}
        >
          {t("nav.settings")}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconKey size={16} aria-hidden />}
          onClick={() => void navigate({ to: "/settings-tokens" })}
        >
          {t("nav.tokens")}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={onSignOut} data-testid="user-sign-out">
          {t("session.signOut")}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
