import { Menu } from "@mantine/core";
import { IconKey, IconLogout, IconSettings } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { roleLabel } from "../../session/role.ts";
import { useOwnUser } from "../../session/use-session.ts";
import { PopupMenu } from "../../ui/popups/popup-menu.tsx";
import type { PopupState } from "../../ui/popups/use-popup.ts";
import textStyles from "../../ui/styles/text.module.css";

interface UserItemsProps {
  state: PopupState;
  onSignOut(): void;
}

export function UserItems({ state, onSignOut }: UserItemsProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const user = useOwnUser();
  return (
    <PopupMenu state={state} withinPortal={false}>
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
    </PopupMenu>
  );
}
