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
import { createRootRoute, createRoute, lazyRouteComponent, notFound, Outlet, redirect } from "@tanstack/react-router";
import i18next from "i18next";
import { Suspense } from "react";
import { z } from "zod";
import { queryClient } from "../calls/query-client.ts";
import { listSearch } from "../list/list-address.ts";
import { isSignedIn, ownUserQuery, publicConfigurationQuery, roleChange } from "../session/session.ts";
import { signOut } from "../session/sign-out.ts";
import { rememberAddress } from "../session/stored-session.ts";
import { applyLanguage } from "../session/user-settings.ts";
import { lazyWithRetry } from "../ui/loading/lazy-with-retry.ts";
import { FailedPage } from "./failed-page.tsx";
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
}

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
export const NotFoundPage = () => (
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

/** Every address of the console, with its screen. */
export const tree = root.addChildren([
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
