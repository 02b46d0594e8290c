import { useMantineColorScheme } from "@mantine/core";
import { IconMoon, IconSun } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { configuration } from "../api/configuration.ts";
import { BarButton } from "./bar-button.tsx";
import { Mark } from "./mark.tsx";

interface TopBarProps {
  /** Before the mark: what opens the drawer. */
  start?: ReactNode;
  /** Tools of people who are signed in. */
  children?: ReactNode;
  onTheme(theme: "dark" | "light"): void;
}

export function TopBar({ start, children, onTheme }: TopBarProps) {
  const { t } = useTranslation();
  const { colorScheme } = useMantineColorScheme();
  const dark = colorScheme !== "light";
  return (
    <header className="ph-bar">
      {start}
      <Link to="/packages">
        <Mark size={26} />
        {configuration().title}
      </Link>
      <span className="ph-spring" />
      {children}
      <BarButton
        icon={dark ? IconSun : IconMoon}
        label={t("shell.theme")}
        onClick={() => onTheme(dark ? "light" : "dark")}
        data-testid="topbar-theme"
      />
    </header>
  );
}
