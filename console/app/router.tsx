import { type Ability, can } from "@packhouse/contract/abilities";
import { technology } from "@packhouse/contract/technology";
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
import { tellDeveloperBy } from "../api/client.ts";
import { configuration } from "../api/configuration.ts";
import { handleLostConnectionBy } from "../api/lost-connection.ts";
import { sendDelayed } from "../calls/delayed-action.ts";
import { queryClient } from "../calls/query-client.ts";
import { handleFailuresBy } from "../calls/report-failure.tsx";
import { NotFoundPage } from "../layout/not-found-screen.tsx";
import { isSignedIn, ownUserQuery, publicConfigurationQuery, roleChange } from "../session/session.ts";
import { watchSessionEnd } from "../session/session-end.tsx";
import { signOut } from "../session/sign-out.ts";
import { onSignedOutElsewhere, rememberAddress } from "../session/stored-session.ts";
import { applyLanguage } from "../session/user-settings.ts";
import { setTitle } from "../ui/document-title.ts";
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
  | "upload"
  | "packageMaintainers"
  | "repositoryMaintainers"
  | "users"
  | "events"
  | "settings"
  | "tokens"
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

/** Everything in an address's query is text here; screens read what they know. */
const plainSearch = {
  parseSearch: (text: string): Record<string, string> => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search: Record<string, unknown>): string => {
    const entries = Object.entries(search).filter(([, value]) => value !== undefined && value !== "");
    const text = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString();
    return text === "" ? "" : `?${text}`;
  },
};

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFoundPage });

const login = createRoute({
  getParentRoute: () => root,
  path: "/login",
  staticData: { title: "login" },
  beforeLoad: () => {
    if (isSignedIn()) throw redirect({ to: "/packages" });
  },
  // Not lazily: who is signed out because the server is out of reach could not load it any more.
  component: LoginPage,
});

/** Whoever is not signed in goes to sign in and comes back; the others are known before the screen shows. */
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

/** Sends people back to the packages who lack what a screen needs. */
const needs = (ability: Ability) => async () => {
  const user = await queryClient.ensureQueryData(ownUserQuery);
  if (!can(user.role, ability)) throw redirect({ to: "/packages" });
};

/** `/R/17`: both parts must make sense, else there is no such page. */
const technologyAndId = {
  parse: ({ technology: text, id }: { technology: string; id: string }) => ({
    technology: technology.safeParse(text).data ?? ("" as never),
    id: /^\d{1,9}$/.test(id) ? Number(id) : 0,
  }),
  stringify: ({ technology: text, id }: { technology: string; id: number }) => ({ technology: text, id: String(id) }),
};
function mustBeAddressed(params: { technology: string; id: number }): void {
  if (!technology.safeParse(params.technology).success || params.id === 0) throw notFound();
}

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
  staticData: { title: "packages" },
  component: lazyRouteComponent(() => import("../features/packages/packages-screen.tsx"), "PackagesScreen"),
});
const packageDetails = createRoute({
  getParentRoute: () => signedIn,
  path: "/packages/$technology/$id",
  staticData: { title: "packageDetails" },
  params: technologyAndId,
  beforeLoad: ({ params }) => mustBeAddressed(params),
  component: lazyRouteComponent(() => import("../features/packages/details/package-screen.tsx"), "PackageScreen"),
});
const repositories = createRoute({
  getParentRoute: () => signedIn,
  path: "/repositories",
  staticData: { title: "repositories" },
  component: lazyRouteComponent(() => import("../features/repositories/repositories-screen.tsx"), "RepositoriesScreen"),
});
const repositoryDetails = createRoute({
  getParentRoute: () => signedIn,
  path: "/repositories/$technology/$id",
  staticData: { title: "repositoryDetails" },
  params: technologyAndId,
  beforeLoad: ({ params }) => mustBeAddressed(params),
  component: lazyRouteComponent(() => import("../features/repositories/repository-screen.tsx"), "RepositoryScreen"),
});
const submissions = createRoute({
  getParentRoute: () => signedIn,
  path: "/submissions",
  staticData: { title: "submissions" },
  component: lazyRouteComponent(() => import("../features/submissions/submissions-screen.tsx"), "SubmissionsScreen"),
});
const upload = createRoute({
  getParentRoute: () => signedIn,
  path: "/upload-packages",
  staticData: { title: "upload" },
  beforeLoad: needs("POST submissions"),
  component: lazyRouteComponent(() => import("../features/upload/upload-screen.tsx"), "UploadScreen"),
});
const packageMaintainers = createRoute({
  getParentRoute: () => signedIn,
  path: "/package-maintainers",
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
  staticData: { title: "users" },
  beforeLoad: needs("GET users"),
  component: lazyRouteComponent(() => import("../features/users/users-screen.tsx"), "UsersScreen"),
});
const settings = createRoute({
  getParentRoute: () => signedIn,
  path: "/settings-general",
  staticData: { title: "settings" },
  component: lazyRouteComponent(() => import("../features/user-settings/settings-screen.tsx"), "SettingsScreen"),
});

const security = createRoute({
  getParentRoute: () => signedIn,
  path: "/settings-security",
  staticData: { title: "security" },
  component: lazyRouteComponent(() => import("../features/second-factors/security-screen.tsx"), "SecurityScreen"),
});

const events = createRoute({
  getParentRoute: () => signedIn,
  path: "/events",
  staticData: { title: "events" },
  component: lazyRouteComponent(() => import("../features/events/events-screen.tsx"), "EventsScreen"),
});
const tokens = createRoute({
  getParentRoute: () => signedIn,
  path: "/settings-tokens",
  staticData: { title: "tokens" },
  component: lazyRouteComponent(
    () => import("../features/access-tokens/access-tokens-screen.tsx"),
    "AccessTokensScreen",
  ),
});
const sessions = createRoute({
  getParentRoute: () => signedIn,
  path: "/settings-sessions",
  staticData: { title: "sessions" },
  component: lazyRouteComponent(() => import("../features/sessions/sessions-screen.tsx"), "SessionsScreen"),
});
const password = createRoute({
  getParentRoute: () => signedIn,
  path: "/settings-password",
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
    upload,
    packageMaintainers,
    repositoryMaintainers,
    users,
    events,
    settings,
    tokens,
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
    ...plainSearch,
  });
  const endSession = () => {
    // Whoever signs in again returns to where he was.
    if (isSignedIn()) rememberAddress(router.state.location.href);
    signOut();
    void router.navigate({ to: "/login" });
  };
  handleFailuresBy({
    signOut: endSession,
    // The guards look again at who the person is now.
    refreshUser: () => void queryClient.invalidateQueries(ownUserQuery).then(() => router.invalidate()),
    isSignedIn,
  });
  watchSessionEnd(endSession);
  handleLostConnectionBy({
    giveUp: endSession,
    back: () => void queryClient.invalidateQueries(),
  });
  tellDeveloperBy((call) => toast.success(call, { icon: <IconTool size={18} aria-hidden /> }));
  onSignedOutElsewhere(() => void router.navigate({ to: "/login" }));
  router.subscribe("onBeforeNavigate", ({ pathChanged }) => {
    if (pathChanged) void sendDelayed();
  });
  router.subscribe("onResolved", () => {
    // Nothing of a person who left stays. Not before the screen is gone: it would ask for everything again, as nobody.
    if (!isSignedIn()) queryClient.clear();
    const title = router.state.matches.findLast((match) => match.staticData.title)?.staticData.title;
    setTitle(title ? i18next.t(`screen.${title}`) : "");
  });
  return router;
}
