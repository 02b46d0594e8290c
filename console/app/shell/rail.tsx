import { IconMenu2 } from "@tabler/icons-react";
import { Link, useRouterState } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { formatNumber } from "../../language/i18n.ts";
import { useOwnUser } from "../../session/use-session.ts";
import { Avatar } from "../../ui/display/avatar.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import visibilityStyles from "../../ui/styles/visibility.module.css";
import { destinationsOf } from "../navigation/destinations.ts";
import drawerContentStyles from "./drawer-content.module.css";
import { useWaitingForMe } from "./drawer-content.tsx";
import styles from "./rail.module.css";

/** The drawer as icons, next to screens that need the width. */
export function Rail({ onMenu }: { onMenu(): void }) {
  const { t } = useTranslation();
  const user = useOwnUser();
  const path = useRouterState({ select: (state) => state.location.pathname });
  const { data: waiting } = useWaitingForMe();
  return (
    <aside className={styles.rail}>
      <IconButton icon={IconMenu2} label={t("nav.menu")} testId="rail-menu" onPress={onMenu} />
      <nav aria-label={t("nav.main")} className={styles.places}>
        {destinationsOf(user.role)
          .filter((place) => !("settings" in place) || place.name === "settingsGeneral")
          .map(({ name, to, label, icon: Icon, ...rest }) => {
            const count = name === waiting?.place ? waiting.count : 0;
            const text = "settings" in rest ? t("nav.settings") : t(label);
            return (
              <Link
                key={name}
                to={to}
                className={styles.place}
                title={text}
                aria-current={path.startsWith(to) ? "page" : undefined}
                activeProps={{}}
              >
                <Icon size={18} stroke={1.75} aria-hidden />
                <span className={visibilityStyles.hidden}>{text} </span>
                {count > 0 && (
                  <span className={`${drawerContentStyles.count} ${styles.count}`}>{formatNumber(count)}</span>
                )}
              </Link>
            );
          })}
      </nav>
      <Avatar name={user.name} />
    </aside>
  );
}
