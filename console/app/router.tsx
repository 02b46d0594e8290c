import { type Ability, can } from "@packhouse/contract/abilities";
import { accessTokenList } from "@packhouse/contract/access-tokens";
import { eventList } from "@packhouse/contract/events";
import { packageMaintainerList, repositoryMaintainerList } from "@packhouse/contract/maintainers";
import { packageList } from "@packhouse/contract/packages";
import { repositoryList } from "@packhouse/contract/repositories";
import { sessionList } from "@packhouse/contract/sessions";
import { submissionList } from "@packhouse/contract/submissions";
import { type Technology, technology } from "@packhouse/contract/technology";
import { userList } from "@packhouse/contract/users";
import { IconTool } from "@tabler/icons-react";
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  Outlet,
  redirect,
} from "@tanstack/react-router";
import i18next from "i18next";
import { Suspense } from "react";
import { z } from "zod";
import { notifyDeveloperBy } from "../api/client.ts";
import { configuration } from "../api/configuration.ts";
import { handleLostConnectionBy } from "../api/lost-connection.ts";
import { sendDelayed } from "../calls/delayed-action.ts";
import { queryClient } from "../calls/query-client.ts";
import { handleFailuresBy } from "../calls/report-failure.tsx";
import { noteIgnored } from "../list/ignored-parts.ts";
import { droppedFrom, listSearch } from "../list/list-address.ts";
import { isSignedIn, ownUserQuery, publicConfigurationQuery, roleChange } from "../session/session.ts";
import { signOut } from "../session/sign-out.ts";
import { onSignedOutElsewhere, rememberAddress } from "../session/stored-session.ts";
import { applyLanguage } from "../session/user-settings.ts";
import { setTitle } from "../ui/document-title.ts";
import { lazyWithRetry } from "../ui/lazy-with-retry.ts";
import { toast } from "../ui/toasts.tsx";
import { FailedPage, FailedScreen } from "./failed-page.tsx";
import { LoginPage } from "./login-page.tsx";

type ScreenName =
  | "login"
  | "packages"
  | "packageDetails"
  | "repositories"
  | "repositoryDetails"
  | "submissions"
  | "review"
  | "upload"
  | "packageMaintainers"
  | "repositoryMaintainers"
  | "users"
  | "events"
  | "settings"
  | "tokens"
  | "mail"
  | "security"
  | "sessions"
  | "password"
  | "notFound";

declare module "@tanstack/react-router" {
  interface StaticDataRouteOption {
    title?: ScreenName;
  }
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

// Parameters in addition to those of lists; invalid ones are ignored.
const openedDocument = z.object({
  vignette: z.string().optional().catch(undefined),
  manual: z.literal("open").optional().catch(undefined),
});
const eventsView = z.object({
  view: z.literal("table").optional().catch(undefined),
  zone: z.literal("utc").optional().catch(undefined),
});
const uploadStep = z.object({
  repository: z.string().optional().catch(undefined),
  results: z.literal("true").optional().catch(undefined),
});
/** The review desk, which loads on its own, reads its own parameters. */
const anyTexts = z.record(z.string(), z.string().optional());
const settingsTab = z.object({ tab: z.literal("tables").optional().catch(undefined) });

const LazyNotFoundPage = lazyWithRetry(() => import("../layout/not-found-screen.tsx").then((it) => it.NotFoundPage));
const NotFoundPage = () => (
  <Suspense>
    <LazyNotFoundPage />
  </Suspense>
);

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFoundPage });

const login = createRoute({
  getParentRoute: () => root,
  path: "/login",
  staticData: { title: "login" },
  beforeLoad: () => {
    if (isSignedIn()) throw redirect({ to: "/packages" });
  },
  // Not lazily: users who are signed out because the server is unreachable could no longer load it.
  component: LoginPage,
});

/** Users who are not signed in are sent to sign in and return afterward; others are loaded before the screen shows. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: "signed-in",
  component: lazyRouteComponent(() => import("./shell/shell.tsx"), "Shell"),
  notFoundComponent: NotFoundPage,
  errorComponent: FailedPage,
  beforeLoad: async ({ location }) => {
    if (!isSignedIn()) {
      rememberAddress(location.href);
      throw redirect({ to: "/login" });
    }
    const user = await queryClient.ensureQueryData(ownUserQuery);
    const change = roleChange(user);
    if (change) {
      window.alert(i18next.t("session.roleChanged", change));
      signOut();
      throw redirect({ to: "/login" });
    }
    await applyLanguage(user);
    void queryClient.prefetchQuery(publicConfigurationQuery);
  },
});

/** Redirects users without access to a screen to the packages. */
const needs = (ability: Ability) => async () => {
  const user = await queryClient.ensureQueryData(ownUserQuery);
  if (!can(user.role, ability)) throw redirect({ to: "/packages" });
};

/** `/R/17`: both parts must be valid, otherwise there is no such page. */
const technologyAndId = {
  parse: ({ technology: text, id }: { technology: string; id: string }) => {
    const known = technology.safeParse(text);
    if (!known.success || !/^[1-9]\d{0,8}$/.test(id)) throw notFound();
    return { technology: known.data, id: Number(id) };
  },
  stringify: ({ technology, id }: { technology: Technology; id: number }) => ({ technology, id: String(id) }),
};

const home = createRoute({
  getParentRoute: () => signedIn,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/packages" });
  },
});
const packages = createRoute({
  getParentRoute: () => signedIn,
  path: "/packages",
  validateSearch: listSearch(packageList),
  staticData: { title: "packages" },
  component: lazyRouteComponent(() => import("../features/packages/packages-screen.tsx"), "PackagesScreen"),
});
const packageDetails = createRoute({
  getParentRoute: () => signedIn,
  path: "/packages/$technology/$id",
  validateSearch: (search) => openedDocument.parse(search),
  staticData: { title: "packageDetails" },
  params: technologyAndId,
  component: lazyRouteComponent(() => import("../features/packages/details/package-screen.tsx"), "PackageScreen"),
});
const repositories = createRoute({
  getParentRoute: () => signedIn,
  path: "/repositories",
  validateSearch: listSearch(repositoryList),
  staticData: { title: "repositories" },
  component: lazyRouteComponent(() => import("../features/repositories/repositories-screen.tsx"), "RepositoriesScreen"),
});
const repositoryDetails = createRoute({
  getParentRoute: () => signedIn,
  path: "/repositories/$technology/$id",
  validateSearch: () => ({}),
  staticData: { title: "repositoryDetails" },
  params: technologyAndId,
  component: lazyRouteComponent(() => import("../features/repositories/repository-screen.tsx"), "RepositoryScreen"),
});
const submissions = createRoute({
  getParentRoute: () => signedIn,
  path: "/submissions",
  validateSearch: listSearch(submissionList),
  staticData: { title: "submissions" },
  component: lazyRouteComponent(() => import("../features/submissions/submissions-screen.tsx"), "SubmissionsScreen"),
});
const review = createRoute({
  getParentRoute: () => signedIn,
  id: "review-desk",
  validateSearch: anyTexts,
  staticData: { title: "review" },
  beforeLoad: needs("GET reviews"),
  component: lazyRouteComponent(() => import("../features/review/review-screen.tsx"), "ReviewScreen"),
});
const reviewStart = createRoute({
  getParentRoute: () => review,
  path: "/review",
  component: lazyRouteComponent(() => import("../features/review/review-screen.tsx"), "ReviewStart"),
});
const reviewRelease = createRoute({
  getParentRoute: () => review,
  path: "/review/$technology/$id",
  params: technologyAndId,
  component: lazyRouteComponent(() => import("../features/review/review-screen.tsx"), "ReviewRelease"),
});
const upload = createRoute({
  getParentRoute: () => signedIn,
  path: "/upload-packages",
  validateSearch: (search) => uploadStep.parse(search),
  staticData: { title: "upload" },
  beforeLoad: needs("POST submissions"),
  component: lazyRouteComponent(() => import("../features/upload/upload-screen.tsx"), "UploadScreen"),
});
const packageMaintainers = createRoute({
  getParentRoute: () => signedIn,
  path: "/package-maintainers",
  validateSearch: listSearch(packageMaintainerList),
  staticData: { title: "packageMaintainers" },
  beforeLoad: needs("GET packageMaintainers"),
  component: lazyRouteComponent(
    () => import("../features/maintainers/maintainers-screen.tsx"),
    "PackageMaintainersScreen",
  ),
});
const repositoryMaintainers = createRoute({
  getParentRoute: () => signedIn,
  path: "/repository-maintainers",
  validateSearch: listSearch(repositoryMaintainerList),
  staticData: { title: "repositoryMaintainers" },
  beforeLoad: needs("GET repositoryMaintainers"),
  component: lazyRouteComponent(
    () => import("../features/maintainers/maintainers-screen.tsx"),
    "RepositoryMaintainersScreen",
  ),
});
const users = createRoute({
  getParentRoute: () => signedIn,
  path: "/users",
  validateSearch: listSearch(userList),
  staticData: { title: "users" },
  beforeLoad: needs("GET users"),
  component: lazyRouteComponent(() => import("../features/users/users-screen.tsx"), "UsersScreen"),
});
const settings = createRoute({
  getParentRoute: () => signedIn,
  path: "/settings-general",
  validateSearch: (search) => settingsTab.parse(search),
  staticData: { title: "settings" },
  component: lazyRouteComponent(() => import("../features/user-settings/settings-screen.tsx"), "SettingsScreen"),
});

const security = createRoute({
  getParentRoute: () => signedIn,
  path: "/settings-security",
  validateSearch: () => ({}),
  staticData: { title: "security" },
  component: lazyRouteComponent(() => import("../features/second-factors/security-screen.tsx"), "SecurityScreen"),
});

const events = createRoute({
  getParentRoute: () => signedIn,
  path: "/events",
  validateSearch: (search) => ({ ...listSearch(eventList)(search), ...eventsView.parse(search) }),
  staticData: { title: "events" },
  component: lazyRouteComponent(() => import("../features/events/events-screen.tsx"), "EventsScreen"),
});
const tokens = createRoute({
  getParentRoute: () => signedIn,
  path: "/settings-tokens",
  validateSearch: listSearch(accessTokenList),
  staticData: { title: "tokens" },
  component: lazyRouteComponent(
    () => import("../features/access-tokens/access-tokens-screen.tsx"),
    "AccessTokensScreen",
  ),
});
const mail = createRoute({
  getParentRoute: () => signedIn,
  path: "/settings-mail",
  staticData: { title: "mail" },
  component: lazyRouteComponent(() => import("../features/user-settings/mail-screen.tsx"), "MailScreen"),
});
const sessions = createRoute({
  getParentRoute: () => signedIn,
  path: "/settings-sessions",
  validateSearch: listSearch(sessionList),
  staticData: { title: "sessions" },
  component: lazyRouteComponent(() => import("../features/sessions/sessions-screen.tsx"), "SessionsScreen"),
});
const password = createRoute({
  getParentRoute: () => signedIn,
  path: "/settings-password",
  validateSearch: () => ({}),
  staticData: { title: "password" },
  component: lazyRouteComponent(() => import("../features/user-settings/password-screen.tsx"), "PasswordScreen"),
});

const tree = root.addChildren([
  login,
  signedIn.addChildren([
    home,
    packages,
    packageDetails,
    repositories,
    repositoryDetails,
    submissions,
    review.addChildren([reviewStart, reviewRelease]),
    upload,
    packageMaintainers,
    repositoryMaintainers,
    users,
    events,
    settings,
    tokens,
    mail,
    security,
    sessions,
    password,
  ]),
]);

export function createConsoleRouter() {
  const router = createRouter({
    routeTree: tree,
    basepath: configuration().urlPrefix,
    defaultNotFoundComponent: NotFoundPage,
    defaultErrorComponent: FailedScreen,
    defaultPreload: "intent",
    defaultPendingMs: 300,
    scrollRestoration: true,
    // Unknown and invalid parameters are dropped from the address.
    search: { strict: true },
    ...plainSearch,
  });
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
  return router;
}
