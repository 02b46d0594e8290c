import { isAt } from "../routed-address.ts";

/** Files at these addresses belong to other parts of the server: people who follow a wrong link there get a 404, too. */
const elsewhere = /^\/(api|repo|actuator|assets|v2|docs)(\/|$)/;

/** Pages of the sign-in, which has an entry of its own. */
export const signInPages = ["/login", "/logout", "/auth", "/auth/silent"] as const;

/** Screens of the console, as its router declares them; `scripts/rules/console-addresses.test.ts` compares the two. */
export const screenAddresses = [
  "/",
  "/packages",
  "/packages/$technology/$id",
  "/repositories",
  "/repositories/$technology/$id",
  "/submissions",
  "/review",
  "/review/$technology/$id",
  "/upload-packages",
  "/package-maintainers",
  "/repository-maintainers",
  "/users",
  "/events",
  "/settings-general",
  "/settings-mail",
  "/settings-security",
  "/settings-tokens",
  "/settings-sessions",
  "/settings-password",
] as const;

const screens = screenAddresses.map((address) => address.replaceAll("$", ":").split("/"));

/** What an address without its query is to the console: one of its pages, of its sign-in, none of them, or not its own. */
export type ConsoleAddress = "sign-in" | "screen" | "unknown" | "elsewhere";

export function consoleAddress(path: string): ConsoleAddress {
  if (elsewhere.test(path)) return "elsewhere";
  const address = path === "/" ? path : path.replace(/\/$/, "");
  if (signInPages.some((page) => page === address)) return "sign-in";
  const parts = address.split("/");
  return screens.some((screen) => isAt(screen, parts)) ? "screen" : "unknown";
}
