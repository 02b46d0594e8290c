import { Link, useRouterState } from "@tanstack/react-router";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { formatNumber } from "../../language/i18n.ts";
import { useOwnUser } from "../../session/use-session.ts";
import { destinationsOf } from "../navigation/destinations.ts";
import styles from "./bottom-bar.module.css";
import drawerContentStyles from "./drawer-content.module.css";
import { useWaitingForMe } from "./drawer-content.tsx";

const places = ["packages", "repositories", "submissions", "events"];

/** The four main places, within thumb's reach on a small screen; not rendered again with the shell around it. */
export const BottomBar = memo(function BottomBar() {
  const { t } = useTranslation();
  const user = useOwnUser();
  const path = useRouterState({ select: (state) => state.location.pathname });
  const { data: waiting } = useWaitingForMe();
  // Those who have something to decide get there at once.
  const decides = waiting?.place === "review" && (waiting.count > 0 || path.startsWith("/review"));
  const shown = places.flatMap((place) =>
    destinationsOf(user.role).filter(({ name }) => name === (decides && place === "submissions" ? "review" : place)),
  );
  return (
    <nav className={styles.bar} aria-label={t("nav.shortcuts")}>
      {shown.map(({ name, to, label, icon: Icon }) => (
        <Link key={name} to={to} aria-current={path.startsWith(to) ? "page" : undefined} activeProps={{}}>
          <Icon size={20} stroke={1.75} aria-hidden />
          <span>{t(label)}</span>
          {name === waiting?.place && waiting.count > 0 && (
            <span className={`${drawerContentStyles.count} ${styles.count}`}>{formatNumber(waiting.count)}</span>
          )}
        </Link>
      ))}
    </nav>
  );
});
