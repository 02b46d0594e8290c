import { IconTool } from "@tabler/icons-react";
import { createRouter } from "@tanstack/react-router";
import i18next from "i18next";
import { notifyDeveloperBy } from "../api/client.ts";
import { configuration } from "../api/configuration.ts";
import { handleLostConnectionBy } from "../api/lost-connection.ts";
import { sendDelayed } from "../calls/delayed-action.ts";
import { queryClient } from "../calls/query-client.ts";
import { handleFailuresBy } from "../calls/report-failure.tsx";
import { noteIgnored } from "../list/ignored-parts.ts";
import { droppedFrom } from "../list/list-address.ts";
import { isSignedIn, ownUserQuery } from "../session/session.ts";
import { signOut } from "../session/sign-out.ts";
import { onSignedOutElsewhere, rememberAddress } from "../session/stored-session.ts";
import { setTitle } from "../ui/document-title.ts";
import { toast } from "../ui/toasts.tsx";
import { FailedScreen } from "./failed-page.tsx";
import { NotFoundPage, tree } from "./routes.tsx";

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}

/** Everything in an address's query is text here; each route keeps the parameters that it knows and that are valid. */
const plainSearch = {
  parseSearch: (text: string): Record<string, string> => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search: Record<string, unknown>): string => {
    const entries = Object.entries(search).filter(([, value]) => value !== undefined && value !== "");
    const text = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString();
    return text === "" ? "" : `?${text}`;
  },
};

/** While the configuration loads; where its addresses begin is known after that. */
export const createConsoleRouter = () =>
  createRouter({
    routeTree: tree,
    defaultNotFoundComponent: NotFoundPage,
    defaultErrorComponent: FailedScreen,
    defaultPreload: "intent",
    defaultPendingMs: 300,
    scrollRestoration: true,
    // Unknown and invalid parameters are dropped from the address.
    search: { strict: true },
    ...plainSearch,
  });

export function startRouter(router: ReturnType<typeof createConsoleRouter>): void {
  router.update({ basepath: configuration().urlPrefix });
  // Nothing can be saved any more, so no form may hold the user back.
  const leave = () => void router.navigate({ to: "/login", ignoreBlocker: true });
  const endSession = () => {
    // After signing in again, users return to where they were.
    if (isSignedIn()) rememberAddress(router.state.location.href);
    signOut();
    leave();
  };
  let refreshing = false;
  const refreshUser = async () => {
    if (refreshing) return; // this call was refused, too
    refreshing = true;
    await queryClient.invalidateQueries(ownUserQuery);
    refreshing = false;
    // The guards check again who the user is now.
    await router.invalidate();
  };
  handleFailuresBy({
    signOut: endSession,
    refreshUser: () => void refreshUser(),
    isSignedIn,
  });
  // No screen needs it to be drawn.
  void import("../session/session-end.tsx").then(({ watchSessionEnd }) => watchSessionEnd(endSession));
  handleLostConnectionBy({
    giveUp: endSession,
    back: () => void queryClient.invalidateQueries(),
  });
  notifyDeveloperBy((call) =>
    toast.success(i18next.t("message.success"), { title: call, icon: <IconTool size={18} aria-hidden /> }),
  );
  onSignedOutElsewhere(leave);
  router.subscribe("onBeforeNavigate", ({ pathChanged, fromLocation, toLocation }) => {
    // From one release to the next, a decision can still be undone.
    const onDesk = [fromLocation, toLocation].every((one) => one?.pathname.startsWith("/review"));
    if (pathChanged && !onDesk) void sendDelayed();
  });
  // Links of the console lead to valid addresses; only one that was opened may have other parts.
  const opened = new URL(window.location.href);
  const stopNoting = router.subscribe("onResolved", () => {
    stopNoting();
    const shown = router.state.matches.at(-1);
    if (shown && window.location.pathname === opened.pathname)
      noteIgnored(droppedFrom(plainSearch.parseSearch(opened.search), shown.search));
  });
  router.subscribe("onResolved", () => {
    // Clears all data of a user who left. Only after the screen is gone: it would load everything again, signed out.
    if (!isSignedIn()) queryClient.clear();
    const title = router.state.matches.findLast((match) => match.staticData.title)?.staticData.title;
    setTitle(title ? i18next.t(`screen.${title}`) : "");
  });
}
