import { Suspense } from "react";
import { useTranslation } from "react-i18next";
import barButtonStyles from "../../layout/bar-button.module.css";
import { useOwnUser } from "../../session/use-session.ts";
import { Avatar } from "../../ui/display/avatar.tsx";
import { lazyWithRetry } from "../../ui/loading/lazy-with-retry.ts";
import { usePopup } from "../../ui/popups/use-popup.ts";
import visibilityStyles from "../../ui/styles/visibility.module.css";

const UserItems = lazyWithRetry(() => import("./user-items.tsx").then((it) => it.UserItems));

/** The signed-in user and their menu, where the drawer is not always visible. */
export function UserMenu({ onSignOut }: { onSignOut(): void }) {
  const { t } = useTranslation();
  const { name } = useOwnUser();
  const { button, state } = usePopup("menu");
  const label = t("session.menu", { name });
  return (
    <>
      <button
        type="button"
        className={`${barButtonStyles.button} ${visibilityStyles.narrowOnly}`}
        title={label}
        data-testid="topbar-user"
        {...button}
      >
        <Avatar name={name} />
        <span className={visibilityStyles.hidden}>{label}</span>
      </button>
      <Suspense>{state && <UserItems state={state} onSignOut={onSignOut} />}</Suspense>
    </>
  );
}
