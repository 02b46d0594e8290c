import { useMantineColorScheme } from "@mantine/core";
import { IconMoon, IconSun } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { configuration } from "../api/configuration.ts";
import { BarButton } from "./bar-button.tsx";
import { LogoPicture } from "./logo.tsx";
import styles from "./top-bar.module.css";

interface TopBarProps {
  /** Before the logo: the button that opens the drawer. */
  start?: ReactNode;
  /** After the logo: the search. */
  search?: ReactNode;
  /** Tools for signed-in users, before and after the theme button. */
  children?: ReactNode;
  end?: ReactNode;
  /** Opens the packages without reloading the page. */
  onHome?: () => void;
  onTheme(theme: "dark" | "light"): void;
}

export function TopBar({ start, search, children, end, onHome, onTheme }: TopBarProps) {
  const { t } = useTranslation();
  const { colorScheme } = useMantineColorScheme();
  const dark = colorScheme !== "light";
  return (
    <header className={styles.bar} data-search={search !== undefined || undefined}>
      {start}
      <a
        href="packages"
        className={styles.brand}
        aria-label={configuration().title}
        onClick={(event) => {
          if (!onHome || event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          onHome();
        }}
      >
        <LogoPicture logo={configuration().smallLogo} markSize={26} />
        <span className={styles.brandName}>{configuration().title}</span>
      </a>
      {search}
      <span className={styles.spring} />
      {children}
      <BarButton
        icon={dark ? IconSun : IconMoon}
        label={t("shell.theme")}
        onClick={() => onTheme(dark ? "light" : "dark")}
        data-testid="topbar-theme"
      />
      {end}
    </header>
  );
}
