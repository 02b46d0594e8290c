import { IconChevronDown, IconChevronRight, IconLogout, IconSettings } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useRouterState } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { configuration } from "../../api/configuration.ts";
import { formatNumber } from "../../language/i18n.ts";
import { version } from "../../package.json";
import { roleLabel } from "../../session/role.ts";
import { useOwnUser } from "../../session/use-session.ts";
import { Avatar } from "../../ui/display/avatar.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { whenIdle } from "../../ui/loading/when-idle.ts";
import textStyles from "../../ui/styles/text.module.css";
import { type Destination, destinationsOf } from "../navigation/destinations.ts";
import styles from "./drawer-content.module.css";

/** The commit that the console was built from, if the build knew it. */
const commit: string | undefined = import.meta.env.VITE_COMMIT;

interface DrawerContentProps {
  onNavigate(): void;
  onSignOut(): void;
  onHelp(): void;
}

/** The signed-in user and the places they can go to. */
export function DrawerContent({ onNavigate, onSignOut, onHelp }: DrawerContentProps) {
  const { t } = useTranslation();
  const user = useOwnUser();
  const path = useRouterState({ select: (state) => state.location.pathname });
  const inSettings = path.startsWith("/settings-");
  const [unfolded, setUnfolded] = useState(false);
  const open = unfolded || inSettings;
  const { data: waiting } = useWaitingForMe();
  const entries = destinationsOf(user.role);
  const entry = ({ name, to, label, icon: Icon, ...rest }: Destination) => (
    <Link
      key={name}
      to={to}
      className={styles.entry}
      data-nested={"settings" in rest || undefined}
      aria-current={path.startsWith(to) ? "page" : undefined}
      data-testid={`nav-${name}`}
      onClick={onNavigate}
      activeProps={{}}
    >
      {!("settings" in rest) && <Icon size={18} stroke={1.75} aria-hidden />}
      {t(label)}
      {name === waiting?.place && waiting.count > 0 && (
        <span className={styles.count}>{formatNumber(waiting.count)}</span>
      )}
    </Link>
  );
  const Chevron = open ? IconChevronDown : IconChevronRight;
  return (
    <>
      <div className={styles.head}>
        <Avatar name={user.name} />
        <div className={styles.person}>
          <div className={textStyles.strong}>{user.name}</div>
          <div className={textStyles.muted}>
            {t("session.signedIn")} · {roleLabel(user.roleAtServer, t)}
          </div>
        </div>
        <IconButton icon={IconLogout} label={t("session.signOut")} testId="nav-logout" onPress={onSignOut} />
      </div>
      <nav aria-label={t("nav.main")} className={styles.entries}>
        {entries.filter((it) => !("settings" in it)).map(entry)}
        <button
          type="button"
          className={styles.entry}
          aria-expanded={open}
          data-testid="nav-settings"
          onClick={() => setUnfolded(!open)}
        >
          <IconSettings size={18} stroke={1.75} aria-hidden />
          {t("nav.settings")}
          <Chevron size={16} className={styles.end} aria-hidden />
        </button>
        {open && entries.filter((it) => "settings" in it).map(entry)}
      </nav>
      <div className={styles.foot}>
        <span>
          {`${configuration().title} ${version}`}
          {configuration().developer && commit ? ` (${commit})` : ""}
        </span>
        <button type="button" className={styles.keys} onClick={onHelp} data-testid="keys">
          <kbd className={textStyles.key}>?</kbd> {t("shell.keys")}
        </button>
      </div>
    </>
  );
}

/** What the user can decide on. Its code loads when the screen is there: at once, it would hold up what the screen asks for. */
export function useWaitingForMe() {
  const { id } = useOwnUser();
  return useQuery({
    queryKey: ["list", "waiting-for-me"],
    queryFn: async ({ signal }) => {
      await new Promise<void>(whenIdle);
      return (await import("../after-first-paint/after-first-paint.ts")).waitingFor(id, signal);
    },
    meta: { shownInPlace: true },
  });
}
